import type { UserStatus } from '../../db/schema/users';
import type { Access } from '../access/authorize';

/** The three portals: the access each needs, and the paths of its home, its sign-in and its Security page. */
export const portals = {
  user: { access: 'session', home: '/user', signIn: '/user/login', security: '/user/security' },
  admin: { access: 'AdminDashboard', home: '/dashboard', signIn: '/admin/login', security: '/dashboard/security' },
  seller: { access: 'seller', home: '/seller', signIn: '/seller/login', security: '/seller/security' },
} as const satisfies Record<
  string,
  { access: Exclude<Access, 'public'>; home: string; signIn: string; security: string }
>;

export type Portal = keyof typeof portals;

/** Spec 000, section 9. Apart from password.ts, so that a form can show it without the hashing code. */
export const minPasswordLength = 8;

/** A longer one would only cost hashing time. */
export const maxPasswordLength = 200;

/** What a sign-in with the right password says where the account's status refuses it (decision 2). */
export const refusedStatus: Record<Exclude<UserStatus, 'Active'>, string> = {
  Pending: 'Please verify your email address first. Check your inbox for the link.',
  Suspended: 'This account is suspended. Please contact support.',
  Expired: 'This account has expired. Please contact support.',
};
