import type { Access } from '@/lib/access/authorize';

/**
 * Every page of the portals, its access rule, and texts that only the page itself contains, unlike its sign-in page and
 * its loading state, which hold no user data.
 */
export const portalPages: [path: string, access: Exclude<Access, 'public'>, content: string][] = [
  ['/user', 'session', 'at a glance'],
  ['/user/dashboard', 'session', 'at a glance'],
  ['/user/projects', 'session', 'Every order belongs to one'],
  ['/user/marketplace', 'session', 'priced in USD and paid from your wallet'],
  ['/user/projects/[id]', 'session', 'placed and online'],
  ['/user/orders', 'session', 'No orders yet'],
  ['/user/orders/[id]/invoice', 'session', 'Print or save as PDF'],
  ['/user/wallet', 'session', 'Search transactions ('],
  ['/user/wallet/wechat/[id]', 'session', 'Scan the code with WeChat'],
  ['/user/security', 'session', 'Where you are signed in'],
  ['/seller', 'seller', 'How your sites stand'],
  ['/seller/my-sites', 'seller', 'Every site you offer'],
  ['/seller/security', 'seller', 'Where you are signed in'],
  ['/dashboard', 'AdminDashboard', 'How the marketplace does'],
  ['/dashboard/security', 'AdminDashboard', 'Where you are signed in'],
  ['/dashboard/confirm', 'AdminDashboard', 'Downloading this file needs'],
  ['/dashboard/features', 'ManageSettings', 'See it on the page'],
  ['/dashboard/features/api-manager', 'ManageSettings', 'Add key'],
  ['/dashboard/features/api-reference', 'AdminDashboard', 'OpenAPI 3.1 document'],
  ['/dashboard/features/notifications', 'ManageSettings', 'Add notification'],
  ['/dashboard/features/feature-flags', 'ManageSettings', 'What was started is still credited'],
  ['/dashboard/features/sign-in', 'ManageSettings', 'Grace period in days'],
  ['/dashboard/features/integrations', 'ManageSettings', 'Looks at uploads for malware'],
  ['/dashboard/features/branding', 'ManageSettings', 'Avatars, counts and the edge of e-mails'],
  ['/dashboard/profile', 'AdminDashboard', 'How you appear here'],
  ['/dashboard/features/users', 'ManageUsers', 'Search name, email or role'],
  ['/dashboard/features/users/[id]', 'ManageUsers', 'Account, sessions, wallet'],
  ['/dashboard/features/roles', 'ManageRoles', 'Search role, user or feature'],
  ['/dashboard/features/access-control', 'ManageRoles', 'What each role allows'],
  ['/dashboard/features/orders', 'ManageOrders', 'Search number, website'],
  ['/dashboard/features/approvals', 'AdminDashboard', 'Requests expire after'],
  ['/dashboard/features/audit-logs', 'AdminDashboard', 'Search details, people'],
  ['/dashboard/features/backup', 'ManageBackups', 'Choose an archive or drop it here'],
  ['/dashboard/features/guest-posts', 'ManageSites', 'Search name or URL'],
  ['/dashboard/features/packages', 'ManagePackages', 'Search name or description'],
  ['/dashboard/features/serp-preview', 'AdminDashboard', 'Rewrite Both (SEO)'],
  ['/dashboard/features/licenses', 'ManageLicenses', 'Search name, key or person'],
  ['/dashboard/features/niches-types', 'ManageSites', 'New niche'],
  ['/dashboard/features/payments', 'ManagePayments', 'features/payments?tab=paypal'],
  ['/dashboard/features/payments/disputes', 'ManagePayments', 'Won and lost'],
  ['/dashboard/features/payments/settlement', 'ManagePayments', 'Views of the settlement'],
  ['/dashboard/features/wallet-manager', 'ManageWallets', 'Search name, e-mail, role'],
];

/** Every page to sign in, to register, or that a mailed link opens. */
export const authPages: readonly string[] = [
  '/user/login',
  '/seller/login',
  '/admin/login',
  '/register',
  '/verify-email',
  '/confirm-email',
  '/user/forgot',
  '/seller/forgot',
];
