import { type Column, inArray, type SQL } from 'drizzle-orm';
import type { AccountRole } from '@/db/enums';
import type { AccountScope } from './actor';

/** What members of an account may do there. Routes, pages and actions name one of them as their access. */
export const accountRights = [
  /** Use the marketplace, its marks and filters. */
  'account:catalog',
  /** View projects, orders with their briefs and rooms, links and reports. */
  'account:orders',
  /** Change projects, carts and briefs, order, review what was delivered, write messages, share reports. */
  'account:buy',
  /** View requests of the projects, and answer them line by line. */
  'account:requests',
  /** Download invoices and receipts. */
  'account:documents',
  /** View the balance of the wallet. */
  'account:balance',
  /** View the transactions of the wallet, top it up, ask for refunds. */
  'account:wallet',
  /** View and change the billing profile. */
  'account:billing',
  /** Manage the API tokens and webhooks of the account. */
  'account:programs',
  /** View the members and what they spend; invite, change and remove those that the role may manage. */
  'account:members',
  /** Change the name, the policy and the budgets of the account, and delete it. */
  'account:manage',
] as const;
export type AccountRight = (typeof accountRights)[number];

const rightsOf: Record<AccountRole, readonly AccountRight[]> = {
  owner: accountRights,
  manager: [
    ...(['account:catalog', 'account:orders', 'account:buy', 'account:requests', 'account:documents'] as const),
    ...(['account:balance', 'account:programs', 'account:members'] as const),
  ],
  buyer: ['account:catalog', 'account:orders', 'account:buy', 'account:requests', 'account:documents'],
  finance: ['account:requests', 'account:documents', 'account:balance', 'account:wallet', 'account:billing'],
  client: ['account:requests'],
};

export const isAccountRight = (access: string): access is AccountRight =>
  accountRights.some((right) => right === access);

/** Checks whether a role has a right. */
export const hasAccountRight = (role: AccountRole, right: AccountRight): boolean => rightsOf[role].includes(right);

/** Builds the condition that a row is of a project that the member sees; undefined if the member sees all. */
export const isInProjects = ({ projectIds }: AccountScope, column: Column | SQL): SQL | undefined =>
  projectIds === null ? undefined : inArray(column, [...projectIds]);

/** Checks whether the member sees a project. */
export const seesProject = ({ projectIds }: Pick<AccountScope, 'projectIds'>, projectId: string | null): boolean =>
  projectIds === null || (projectId !== null && projectIds.includes(projectId));

/** The personal account of a user, who owns it. */
export const personalAccount = (userId: string) => ({
  ...{ accountId: userId, accountRole: 'owner' as const, projectIds: null },
});
