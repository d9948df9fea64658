import type { Access } from '@/lib/acl/require';

export type Address = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** Who may call it; 'signed' is for webhooks, which prove themselves otherwise, 'secret' for the cron. */
  access: Access | 'signed' | 'secret';
};

/** Addresses beside the specification's: next-auth's, the cron's, and what our own screens download or compare. */
export const ours: readonly string[] = [
  'GET /api/auth/[...nextauth]',
  'POST /api/auth/[...nextauth]',
  'GET /api/guest-posts/[id]',
  'GET /dashboard/features/guest-posts/export',
  'GET /dashboard/features/guest-posts/template',
  'GET /seller/my-sites/template',
  'GET /api/jobs/run',
  'POST /api/jobs/run',
];

/** Nobody's own, and the same for all who are let in: a browser may keep it, and has to ask each time. */
export const revalidated: readonly string[] = ['GET /api/guest-posts'];

const row = (method: Address['method'], path: string, access: Address['access']): Address => ({ method, path, access });

/** Every address there is, with whom it admits: those of the specification that are built, and a few of our own. */
export const contract: readonly Address[] = [
  row('POST', '/api/user/auth/login', 'public'),
  row('POST', '/api/user/auth/logout', 'public'),
  row('POST', '/api/user/auth/register', 'public'),
  row('POST', '/api/user/auth/forgot', 'public'),
  row('POST', '/api/user/auth/reset', 'public'),
  row('GET', '/api/user/auth/verify', 'public'),
  row('POST', '/api/user/auth/verify/resend', 'public'),
  row('GET', '/api/user/auth/me', 'session'),
  row('POST', '/api/auth/logout', 'public'),
  row('POST', '/api/auth/register', 'public'),
  row('GET', '/api/auth/[...nextauth]', 'public'),
  row('POST', '/api/auth/[...nextauth]', 'public'),
  row('POST', '/api/admin/auth/login', 'public'),
  row('GET', '/api/admin/auth/me', 'AdminDashboard'),
  row('POST', '/api/admin/auth/logout', 'public'),
  row('POST', '/api/seller/auth/login', 'public'),
  row('GET', '/api/seller/auth/me', 'seller'),
  row('POST', '/api/seller/auth/logout', 'public'),
  row('GET', '/api/acl/my-permissions', 'session'),
  row('GET', '/api/audit-logs', 'ViewAuditLogs'),
  row('GET', '/api/guest-posts', 'session'),
  row('POST', '/api/guest-posts', 'ManageSites'),
  row('POST', '/api/guest-posts/upload', 'ManageSites'),
  row('GET', '/api/guest-posts/[id]', 'ManageSites'),
  row('PUT', '/api/guest-posts/[id]', 'ManageSites'),
  row('DELETE', '/api/guest-posts/[id]', 'ManageSites'),
  row('GET', '/api/niches-types', 'session'),
  row('POST', '/api/niches-types', 'ManageSites'),
  row('DELETE', '/api/niches-types/niche/[name]', 'ManageSites'),
  row('DELETE', '/api/niches-types/api/niche/[name]', 'ManageSites'),
  row('DELETE', '/api/niches-types/type/[name]', 'ManageSites'),
  row('DELETE', '/api/niches-types/api/type/[name]', 'ManageSites'),
  row('GET', '/api/seller/sites/stats', 'seller'),
  row('GET', '/api/seller/sites', 'seller'),
  row('POST', '/api/seller/sites', 'seller'),
  row('POST', '/api/seller/sites/upload', 'seller'),
  row('GET', '/api/admin/payments/[provider]/config', 'ManagePayments'),
  row('PUT', '/api/admin/payments/[provider]/config', 'ManagePayments'),
  row('POST', '/api/admin/payments/wechat/private-key', 'ManagePayments'),
  row('GET', '/api/admin/users', ['ManageWallets', 'ManageUsers', 'ManageOrders']),
  row('GET', '/api/admin/wallet/transactions', 'ManageWallets'),
  row('POST', '/api/admin/wallet/topup', 'ManageWallets'),
  row('DELETE', '/api/admin/wallet/transaction/[id]', 'ManageWallets'),
  row('POST', '/api/admin/wallet/recalc/[userId]', 'ManageWallets'),
  row('GET', '/api/admin/orders', 'ManageOrders'),
  row('GET', '/api/admin/orders/[id]', 'ManageOrders'),
  row('PATCH', '/api/admin/orders/[id]', 'ManageOrders'),
  row('DELETE', '/api/admin/orders/[id]', 'ManageOrders'),
  row('POST', '/api/admin/orders/[id]/content', 'ManageOrders'),
  row('GET', '/api/admin/orders/[id]/content/download', 'ManageOrders'),
  row('GET', '/api/user/projects', 'session'),
  row('POST', '/api/user/projects', 'session'),
  row('DELETE', '/api/user/projects/[id]', 'session'),
  row('GET', '/api/orders', 'session'),
  row('POST', '/api/orders', 'session'),
  row('GET', '/api/orders/[id]/content/download', 'session'),
  row('GET', '/api/wallet', 'session'),
  row('GET', '/api/wallet/balance', 'session'),
  row('GET', '/api/wallet/transactions', 'session'),
  row('POST', '/api/user/payments/stripe/checkout', 'session'),
  row('POST', '/api/wallet/topup/paypal', 'session'),
  row('POST', '/api/wallet/topup/wechat', 'session'),
  row('POST', '/api/payments/stripe/webhook', 'signed'),
  row('POST', '/api/payments/paypal/webhook', 'signed'),
  row('POST', '/api/payments/wechat/webhook', 'signed'),
  row('GET', '/dashboard/features/guest-posts/export', 'ManageSites'),
  row('GET', '/dashboard/features/guest-posts/template', 'ManageSites'),
  row('GET', '/seller/my-sites/template', 'seller'),
  row('GET', '/api/jobs/run', 'secret'),
  row('POST', '/api/jobs/run', 'secret'),
];
