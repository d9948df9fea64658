import type { UserStatus } from '@/db/schema/users';
import type { Access } from '@/lib/access/authorize';

/** The three portals: the required access, and the paths of the home, sign-in and Security pages. */
export const portals = {
  user: { access: 'session', home: '/user', signIn: '/user/login', security: '/user/security' },
  admin: { access: 'AdminDashboard', home: '/dashboard', signIn: '/admin/login', security: '/dashboard/security' },
  seller: { access: 'seller', home: '/seller', signIn: '/seller/login', security: '/seller/security' },
} as const satisfies Record<
  string,
  { access: Exclude<Access, 'public'>; home: string; signIn: string; security: string }
>;

export type Portal = keyof typeof portals;

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
