import type { AccountRight } from '@/lib/access/account-roles';

/**
 * Operations whose verb, and not the route, admits members with a right only: because sellers and staff call them too, or
 * because the account stands in the path and need not be that of the request. Each member may also remove himself.
 */
export const rightsInVerbs: Record<string, AccountRight> = {
  'GET /api/disputes/[id]': 'account:orders',
  'POST /api/disputes/[id]/proposals': 'account:orders',
  'POST /api/disputes/[id]/proposals/[n]/accept': 'account:orders',
  'POST /api/disputes/[id]/withdraw': 'account:orders',
  'GET /api/invoices/[file]': 'account:documents',
  'PATCH /api/user/accounts/[id]': 'account:manage',
  'DELETE /api/user/accounts/[id]': 'account:manage',
  'DELETE /api/user/accounts/[id]/invitations/[invitationId]': 'account:members',
  'GET /api/user/accounts/[id]/members': 'account:members',
  'POST /api/user/accounts/[id]/members': 'account:members',
  'PATCH /api/user/accounts/[id]/members/[userId]': 'account:members',
  'DELETE /api/user/accounts/[id]/members/[userId]': 'account:members',
};
