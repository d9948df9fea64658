import type { Access } from '../acl/require';

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
