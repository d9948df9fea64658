/** Stands for our own origin while an address is resolved; no real host can have this name (RFC 2606). */
const ourselves = 'http://linkmarket.invalid';

/**
 * Where to go after sign-in: a path of our own in a portal, or the home of the one that was signed in to. Never another
 * site: `//host`, `/\host` and anything with a scheme or control characters falls back; so does `/user/../elsewhere`.
 * @param next what came in the address; anything
 * @param home the portal's start page, e.g. /user
 * @param homes of the portals that may be returned to; their own guards decide who comes in
 */
export function returnPath(next: string | null | undefined, home: string, homes: readonly string[] = [home]): string {
  if (!next || !/^\/[\w\-./~%?=&+,:@!$'()*;#[\]]*$/.test(next) || !URL.canParse(next, ourselves)) return home;
  const { origin, pathname, search, hash } = new URL(next, ourselves);
  const isOurs = origin === ourselves && homes.some((each) => pathname === each || pathname.startsWith(`${each}/`));
  return isOurs ? pathname + search + hash : home;
}
