import { and, asc, eq, isNull, ne } from 'drizzle-orm';
import { db } from '@/db/client';
import { accountMembers, accountNameOrEmail, accounts } from '@/db/schema/accounts';
import { users } from '@/db/schema/users';
import { matchesAccount } from './search-accounts';

/** Lists the accounts of which a user is a member, besides the own one, by name. */
export const listMemberships = (userId: string) =>
  db()
    .select({ id: accounts.id, name: accounts.name, email: accounts.email, role: accountMembers.role })
    .from(accountMembers)
    .innerJoin(accounts, eq(accounts.id, accountMembers.accountId))
    .where(and(eq(accountMembers.userId, userId), ne(accountMembers.accountId, userId)))
    .orderBy(asc(accounts.name), asc(accounts.id));
export type Membership = Awaited<ReturnType<typeof listMemberships>>[number];

/** Finds teams whose name or address contains a text, or whose id equals it, by name. */
export const findTeamAccounts = (q: string, limit: number) =>
  db()
    .select({ id: accounts.id, name: accounts.name, email: accounts.email })
    .from(accounts)
    .where(and(eq(accounts.kind, 'team'), isNull(accounts.deletedAt), matchesAccount(q)))
    .orderBy(asc(accountNameOrEmail), asc(accounts.id))
    .limit(limit);

/** Finds an account with its members for staff, also a deleted one; null for an unknown id. */
export async function findAccountDetails(id: string) {
  const [account] = await db().select().from(accounts).where(eq(accounts.id, id));
  if (!account) return null;
  const members = await db()
    .select({
      userId: users.id,
      name: users.name,
      email: users.email,
      status: users.status,
      role: accountMembers.role,
      projectIds: accountMembers.projectIds,
      monthlyLimitCents: accountMembers.monthlyLimitCents,
    })
    .from(accountMembers)
    .innerJoin(users, eq(users.id, accountMembers.userId))
    .where(eq(accountMembers.accountId, id))
    .orderBy(asc(accountMembers.createdAt), asc(users.id));
  return { ...account, members };
}
export type AccountDetails = NonNullable<Awaited<ReturnType<typeof findAccountDetails>>>;
