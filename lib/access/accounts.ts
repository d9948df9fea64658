import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { accountMembers, accounts } from '@/db/schema/accounts';
import { users } from '@/db/schema/users';
import { AppError, notMemberMessage } from '@/lib/errors';
import { type AccountRight, listRolesWith } from './account-roles';

/** Locks an account, so that what counts its rows or its money runs one by one. */
export async function lockAccount(tx: Executor, accountId: string): Promise<void> {
  await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for('no key update');
}

/**
 * Locks an account to change what limits its spending: a monthly limit, a budget or the policy. It waits for the payments
 * that run without a limit, and the next ones see the new one.
 */
export async function lockSpending(tx: Executor, accountId: string): Promise<void> {
  await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for('update');
}

/** How an account is shown and reached. */
export type AccountContact = {
  id: string;
  kind: 'personal' | 'team';
  name: string;
  email: string;
  isDeleted: boolean;
  /** Names it in a sentence: the address of a person, or “the account “Acme” (owner@example.com)”. */
  label: string;
};

/** Reads how an account is shown and reached, also of a deleted one, whose records are kept. @throws AppError not_found */
export async function getAccountContact(tx: Executor, accountId: string): Promise<AccountContact> {
  const [found] = await tx.select().from(accounts).where(eq(accounts.id, accountId));
  if (!found) throw new AppError('not_found', 'This account does not exist.');
  const { id, kind, name, email, deletedAt } = found;
  const label = kind === 'team' ? `the account “${name}” (${email})` : email;
  return { id, kind, name, email, isDeleted: deletedAt !== null, label };
}

/** The name of an account for its members: of a person without one, the address. For queries that select from `accounts`. */
export const shownName = sql<string>`coalesce(nullif(${accounts.name}, ''), ${accounts.email})`;

/** The answer to an account of which the caller is no member, as to one that does not exist. */
export const accountNotFoundError = () => new AppError('not_found', notMemberMessage);

/** Whom news of an account concern: the members with a right who see the project, if it is about one. */
export type Concerned = { accountId: string; right: AccountRight; projectId?: string | undefined };

/**
 * Lists the members whom news concern, by id, with the name of the account, and whether they have others; without deleted
 * users, and without suspended ones, who read news of their personal account only.
 */
export const listConcerned = (tx: Executor, { accountId, right, projectId }: Concerned) =>
  tx
    .select({
      userId: users.id,
      email: users.email,
      role: accountMembers.role,
      projectIds: accountMembers.projectIds,
      accountName: shownName,
      hasOthers: sql<boolean>`exists (select from ${accountMembers} other
        where other.user_id = ${users.id} and other.account_id <> ${accounts.id})`,
    })
    .from(accountMembers)
    .innerJoin(accounts, eq(accounts.id, accountMembers.accountId))
    .innerJoin(users, eq(users.id, accountMembers.userId))
    .where(
      and(
        eq(accountMembers.accountId, accountId),
        inArray(accountMembers.role, listRolesWith(right)),
        projectId === undefined
          ? undefined
          : sql`(${accountMembers.projectIds} is null or ${projectId} = any(${accountMembers.projectIds}))`,
        or(eq(users.status, 'Active'), eq(users.id, accountId)),
        isNull(users.deletedAt),
      ),
    )
    .orderBy(asc(users.id));

/**
 * The condition that an account was not deleted and, if it is personal, that its person is active: no member acts for the
 * account of a suspended person. A subquery for each account: for a list, PostgreSQL would read all users first.
 */
export const isUsableAccount = and(
  isNull(accounts.deletedAt),
  sql`coalesce((select ${users.status} = 'Active' and ${users.deletedAt} is null from ${users}
    where ${users.id} = ${accounts.id}), true)`,
);
