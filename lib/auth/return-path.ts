/** Stands for our own origin while an address is resolved; no real host can have this name (RFC 2606). */
const ourselves = 'http://linkmarket.invalid';

/**
 * Where to go after sign-in: a path of our own in the portal that was signed in to, or its home. Never another site:
 * `//host`, `/\host` and anything with a scheme or control characters falls back; so does `/user/../elsewhere`.
 * @param next what came in the address; anything
 * @param home the portal's start page, e.g. /user
 */
export function returnPath(next: string | null | undefined, home: string): string {
  if (!next || !/^\/[\w\-./~%?=&+,:@!$'()*;#[\]]*$/.test(next) || !URL.canParse(next, ourselves)) return home;
  const { origin, pathname, search, hash } = new URL(next, ourselves);
  const isOurs = origin === ourselves && (pathname === home || pathname.startsWith(`${home}/`));
  return isOurs ? pathname + search + hash : home;
}
