import type { AccountRole } from '@/db/enums';

/** The roles of members as texts name them. */
export const accountRoleNames: Record<AccountRole, string> = {
  owner: 'Owner',
  manager: 'Manager',
  buyer: 'Buyer',
  finance: 'Finance',
  client: 'Client',
};
