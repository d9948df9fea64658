/**
 * Where to go after sign-in: a path of our own in the portal that was signed in to, or its home. Never another site:
 * `//host`, `/\host` and anything with a scheme or control characters falls back.
 * @param next what came in the address; anything
 * @param home the portal's start page, e.g. /user
 */
export function returnPath(next: string | null | undefined, home: string): string {
  if (!next || !/^\/[\w\-./~%?=&+,:@!$'()*;#[\]]*$/.test(next) || next.startsWith('//')) return home;
  const pathname = next.split(/[?#]/)[0] ?? '';
  return pathname === home || pathname.startsWith(`${home}/`) ? next : home;
}
