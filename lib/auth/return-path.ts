/** A placeholder origin for resolving paths; the name is reserved (RFC 2606). */
const placeholderOrigin = 'http://linkmarket.invalid';

/**
 * Returns the path to open after sign-in: a path in a portal, or the home of the portal. Prevents open redirects:
 * `//host`, `/\host`, any scheme, control characters and `/user/../elsewhere` return the home.
 * @param next the parameter of the URL, not validated
 * @param home the portal's start page, e.g. /user
 * @param homes the portals that are allowed as a target; their own guards check access
 */
export function getReturnPath(
  next: string | null | undefined,
  home: string,
  homes: readonly string[] = [home],
): string {
  if (!next || !/^\/[\w\-./~%?=&+,:@!$'()*;#[\]]*$/.test(next) || !URL.canParse(next, placeholderOrigin)) return home;
  const { origin, pathname, search, hash } = new URL(next, placeholderOrigin);
  const isOurs =
    origin === placeholderOrigin && homes.some((each) => pathname === each || pathname.startsWith(`${each}/`));
  return isOurs ? pathname + search + hash : home;
}
