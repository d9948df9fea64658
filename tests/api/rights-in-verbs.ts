import type { AccountRole } from '@/db/enums';
import type { AccountRight } from '@/lib/access/account-roles';

/** Who approves the requests of others; an Owner also the own ones. */
const approvers = ['owner', 'manager', 'finance'] as const;

/**
 * Operations whose verb, and not the route, admits members with a right or a role only: because sellers and staff call them
 * too, because the account stands in the path and need not be that of the request, or because it depends on the record. Each
 * member may also leave.
 */
export const rightsInVerbs: Record<string, AccountRight | readonly AccountRole[]> = {
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
  // By all who order or approve.
  'GET /api/user/accounts/[id]/policy': 'account:documents',
  'PUT /api/user/accounts/[id]/policy': 'account:manage',
  // A Client answers what was sent.
  'POST /api/user/requests/[id]/approve': [...approvers, 'client'],
  'POST /api/user/requests/[id]/link': approvers,
  'DELETE /api/user/requests/[id]/link': approvers,
};
