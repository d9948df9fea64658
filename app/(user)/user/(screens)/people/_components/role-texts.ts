import type { AccountRole } from '@/db/enums';

/** What each role may do, in a line. */
export const roleTexts: Record<AccountRole, string> = {
  owner: 'Everything, including members, the wallet, billing and the policy.',
  manager: 'Orders, approves other people’s requests, invites Buyers and Clients, and sees the balance.',
  buyer: 'Orders within a monthly limit. Anything above it waits for approval.',
  finance: 'Adds money, downloads documents and approves spending. Sees no briefs or messages.',
  client: 'Sees requests and reports of chosen projects, and approves or strikes their lines.',
};

/** The roles that place orders, so that a monthly limit applies to them. */
export const orderingRoles: readonly AccountRole[] = ['owner', 'manager', 'buyer'];
