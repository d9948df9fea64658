import { type AnyColumn, and, eq, Placeholder, type SQL, sql } from 'drizzle-orm';
import { type AccountRole, accountRoles } from '@/db/enums';
import { perRow } from '@/db/per-row';
import type { AccountScope } from './actor';

/** What members of an account may do there. Routes, pages and actions name one of them as their access. */
export const accountRights = [
  /** Use the marketplace, projects, carts, orders with their rooms, links and reports. */
  'account:orders',
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
    ...(['account:orders', 'account:requests', 'account:documents', 'account:balance'] as const),
    ...(['account:programs', 'account:members'] as const),
  ],
  buyer: ['account:orders', 'account:requests', 'account:documents'],
  finance: ['account:requests', 'account:documents', 'account:balance', 'account:wallet', 'account:billing'],
  client: ['account:requests'],
};

export const isAccountRight = (access: unknown): access is AccountRight =>
  accountRights.some((right) => right === access);

/** Checks whether an access rule admits a user who works alone, of whatever role. */
export const isOpenToUsers = (access: unknown): boolean => access === 'session' || isAccountRight(access);

/** Lists the roles that have a right. */
export const listRolesWith = (right: AccountRight): AccountRole[] =>
  accountRoles.filter((role) => rightsOf[role].includes(right));

/** Checks whether a role has a right. */
export const hasAccountRight = (role: AccountRole, right: AccountRight): boolean => rightsOf[role].includes(right);

/** An `AccountScope`, also of a prepared query. */
export type ScopeOfQuery = { accountId: string | Placeholder; projectIds: readonly string[] | Placeholder | null };

/**
 * Builds the condition that a row is of a project that the member sees; undefined if the member sees all. The plan of a
 * prepared query is made without the value: it would expect one row in a hundred to match, and sort all orders of an
 * account instead of reading the newest along their index.
 */
export const isInProjects = ({ projectIds }: Pick<ScopeOfQuery, 'projectIds'>, column: AnyColumn): SQL | undefined => {
  if (projectIds === null) return undefined;
  if (projectIds instanceof Placeholder)
    return perRow(sql`${projectIds}::text[] is null or ${column} = any(${projectIds}::text[])`);
  return sql`${column} = any(${sql.param([...projectIds])}::text[])`;
};

/** Builds the condition that a row is of the account, and of a project that the member sees. */
export const isInScope = (
  scope: ScopeOfQuery,
  columns: { accountId: AnyColumn; projectId: AnyColumn },
): SQL | undefined => and(eq(columns.accountId, scope.accountId), isInProjects(scope, columns.projectId));

/** Checks whether a row is of the account, and of a project that the member sees. */
export const seesRow = (
  { accountId, projectIds }: AccountScope,
  row: { accountId: string; projectId: string | null },
): boolean =>
  row.accountId === accountId &&
  (projectIds === null || (row.projectId !== null && projectIds.includes(row.projectId)));

/** The personal account of a user, who owns it. */
export const personalAccount = (userId: string) => ({
  ...{ accountId: userId, accountName: '', accountRole: 'owner' as const, projectIds: null },
});

/** The roles that approve requests of others. Owners approve all. */
const approvers: readonly AccountRole[] = ['manager', 'finance'];

/** Checks whether a member may approve a request of a project that the member sees. */
export const mayApprove = (
  { userId, accountRole }: { userId: string; accountRole: AccountRole },
  { requestedBy }: { requestedBy: string },
): boolean => accountRole === 'owner' || (approvers.includes(accountRole) && requestedBy !== userId);

/** Builds the condition `mayApprove` of columns. */
export const isApprover = (
  { userId, role }: { userId: AnyColumn; role: AnyColumn },
  { requestedBy }: { requestedBy: AnyColumn },
): SQL =>
  sql`(${role} = 'owner' or ${role} = any(${sql.param([...approvers])}::text[]) and ${userId} <> ${requestedBy})`;
