import type { Access } from '../acl/require';

/** The three doors of the product: what each asks for, where its sign-in stands, and where it leads. */
export const portals = {
  user: { access: 'session', home: '/user', signIn: '/user/login' },
  admin: { access: 'AdminDashboard', home: '/dashboard', signIn: '/admin/login' },
  seller: { access: 'seller', home: '/seller', signIn: '/seller/login' },
} as const satisfies Record<string, { access: Exclude<Access, 'public'>; home: string; signIn: string }>;

export type Portal = keyof typeof portals;
