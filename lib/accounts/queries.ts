import { and, asc, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { accountInvitations, accountMembers, accounts } from '@/db/schema/accounts';
import { ledgerAccounts } from '@/db/schema/ledger';
import { users } from '@/db/schema/users';
import { hasAccountRight } from '@/lib/access/account-roles';
import { accountNotFoundError, isUsableAccount, shownName } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { isWalletOf } from '@/lib/ledger/balance';
import { mayManage } from './member-rules';
import { requireMember } from './require-member';

/** The balance of an account's wallet in USD cents; null if it never moved money. For queries of members. */
const walletBalance = sql<number | null>`(select ${ledgerAccounts.balanceCents} from ${ledgerAccounts}
  where ${isWalletOf(accountMembers.accountId)})`.mapWith(Number);

/** An account of a person. @property balanceCents null for a role that does not see the balance */
export type ListedAccount = Awaited<ReturnType<typeof listAccounts>>[number];

/**
 * Lists the accounts of the actor, the own personal one first; with an API token, its account only. Staff who view a user's
 * portal see neither balances nor teams.
 */
export async function listAccounts(actor: Pick<Actor, 'userId' | 'accountId' | 'token' | 'viewing'>) {
  const rows = await db()
    .select({
      id: accounts.id,
      name: shownName,
      kind: accounts.kind,
      role: accountMembers.role,
      projectIds: accountMembers.projectIds,
      monthlyLimitCents: accountMembers.monthlyLimitCents,
      version: accounts.version,
      createdAt: accounts.createdAt,
      balanceCents: walletBalance,
    })
    .from(accountMembers)
    .innerJoin(accounts, eq(accounts.id, accountMembers.accountId))
    .where(
      and(
        eq(accountMembers.userId, actor.userId),
        isUsableAccount,
        actor.token || actor.viewing ? eq(accounts.id, actor.accountId) : undefined,
      ),
    )
    .orderBy(desc(eq(accounts.id, actor.userId)), asc(sql`lower(${accounts.name})`), asc(accounts.id));
  return rows.map((row) => ({
    ...row,
    balanceCents: !actor.viewing && hasAccountRight(row.role, 'account:balance') ? (row.balanceCents ?? 0) : null,
  }));
}

/** Returns an account of the actor as `listAccounts` does. @throws AppError not_found */
export async function getAccount(actor: Parameters<typeof listAccounts>[0], id: string): Promise<ListedAccount> {
  const found = (await listAccounts(actor)).find((account) => account.id === id);
  if (!found) throw accountNotFoundError();
  return found;
}

/** A member of an account. @property isManageable whether the actor may change and remove the member */
export type ListedMember = Awaited<ReturnType<typeof listMembers>>[number];

/** A member, of `accountMembers` joined with `users`. */
export const memberColumns = {
  userId: users.id,
  name: users.name,
  email: users.email,
  role: accountMembers.role,
  projectIds: accountMembers.projectIds,
  monthlyLimitCents: accountMembers.monthlyLimitCents,
  version: accountMembers.version,
  createdAt: accountMembers.createdAt,
};

/**
 * Lists the members of an account of the actor, by role and name; without deleted users.
 * @throws AppError not_found, forbidden
 */
export async function listMembers(actor: Actor, accountId: string) {
  const self = await requireMember(db(), actor, accountId, 'account:members');
  const rows = await db()
    .select(memberColumns)
    .from(accountMembers)
    .innerJoin(users, eq(users.id, accountMembers.userId))
    .where(and(eq(accountMembers.accountId, accountId), isNull(users.deletedAt)))
    .orderBy(
      sql`array_position(array['owner', 'manager', 'buyer', 'finance', 'client'], ${accountMembers.role})`,
      asc(sql`lower(${users.name})`),
      asc(users.id),
    );
  return rows.map((row) => ({ ...row, isManageable: row.userId !== accountId && mayManage(self, row) }));
}

/** An open invitation to an account. @property isManageable whether the actor may withdraw it */
export type ListedInvitation = Awaited<ReturnType<typeof listInvitations>>[number];

/** Lists the invitations to an account of the actor that can be accepted. @throws AppError not_found, forbidden */
export async function listInvitations(actor: Actor, accountId: string) {
  const self = await requireMember(db(), actor, accountId, 'account:members');
  const rows = await db()
    .select({
      id: accountInvitations.id,
      email: accountInvitations.email,
      role: accountInvitations.role,
      projectIds: accountInvitations.projectIds,
      monthlyLimitCents: accountInvitations.monthlyLimitCents,
      invitedBy: users.email,
      createdAt: accountInvitations.createdAt,
      expiresAt: accountInvitations.expiresAt,
    })
    .from(accountInvitations)
    .innerJoin(users, eq(users.id, accountInvitations.invitedBy))
    .where(and(eq(accountInvitations.accountId, accountId), gt(accountInvitations.expiresAt, sql`now()`)))
    .orderBy(desc(accountInvitations.createdAt), desc(accountInvitations.id));
  return rows.map((row) => ({ ...row, isManageable: mayManage(self, row) }));
}
