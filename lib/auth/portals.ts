import type { UserStatus } from '@/db/schema/users';
import type { Access } from '@/lib/access/authorize';
import { canParseUrl } from '@/lib/network/can-parse-url';

/** The three portals: the required access, and the paths of the home, sign-in and Security pages. */
export const portals = {
  user: { access: 'session', home: '/user', signIn: '/user/login', security: '/user/security' },
  admin: { access: 'AdminDashboard', home: '/dashboard', signIn: '/admin/login', security: '/dashboard/security' },
  seller: { access: 'seller', home: '/seller', signIn: '/seller/login', security: '/seller/security' },
} as const satisfies Record<
  string,
  { access: Exclude<Access, 'public'>; home: string; signIn: string; security: string }
>;

/** The page that creates the first admin of an installation. */
export const setupPath = '/setup';

export type Portal = keyof typeof portals;

export const portalNames = ['user', 'admin', 'seller'] as const satisfies readonly Portal[];

/** Defined outside password.ts, so that a form can use it without importing the hashing code. */
export const minPasswordLength = 8;

/** A longer password would only increase the hashing time. */
export const maxPasswordLength = 200;

/** The messages for a correct password when the account's status does not allow sign-in. */
export const statusMessages: Record<Exclude<UserStatus, 'Active'>, string> = {
  Pending: 'Please verify your email address first. Check your inbox for the link.',
  Suspended: 'This account is suspended. Please contact support.',
  Expired: 'This account has expired. Please contact support.',
};

/** A placeholder origin for resolving paths; the name is reserved (RFC 2606). */
const placeholderOrigin = 'http://linkmarket.invalid';

/** The longest path to return to: a Location header encodes it once more, and clients accept 16 kB of headers. */
const maxReturnLength = 2_000;

/** Removes the query of a path that is too long to be part of a redirect to the sign-in page. */
export function limitReturnPath(path: string): string {
  const candidates = [path, path.split('?')[0] ?? ''];
  return candidates.find(({ length }) => length <= maxReturnLength) ?? '';
}

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
  if (!next || !/^\/[\w\-./~%?=&+,:@!$'()*;#[\]]*$/.test(next) || !canParseUrl(next, placeholderOrigin)) return home;
  const { origin, pathname, search, hash } = new URL(next, placeholderOrigin);
  const isOurs =
    origin === placeholderOrigin && homes.some((each) => pathname === each || pathname.startsWith(`${each}/`));
  return isOurs ? pathname + search + hash : home;
}
