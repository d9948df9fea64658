import { and, asc, count, eq, isNull, ne } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { accountMembers, accounts } from '@/db/schema/accounts';
import { users } from '@/db/schema/users';
import { lockAccount } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { revokeTeamPrograms } from '@/lib/auth/revoke-access';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';
import { closeAccount, requireNoMoney } from './close';
import { findOtherOwner, requireOtherOwner } from './end-access';

/**
 * Ends the memberships of a user who is being deleted in the accounts of others, and closes teams of which the user was the
 * only member. The orders of the accounts stay.
 * @throws AppError conflict for the last owner of a team with other members, money or orders that are not finished. A
 * suspended owner hands the team over after the suspension ends
 */
export async function leaveAccounts(
  tx: Executor,
  actor: Actor,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  const joined = await tx
    .select({ accountId: accounts.id, name: accounts.name, role: accountMembers.role })
    .from(accountMembers)
    .innerJoin(accounts, eq(accounts.id, accountMembers.accountId))
    .where(and(eq(accountMembers.userId, userId), ne(accounts.id, userId), isNull(accounts.deletedAt)))
    .orderBy(asc(accounts.id));
  for (const { accountId, name, role } of joined) {
    await lockAccount(tx, accountId);
    const member = { accountId, userId, email };
    const isLastOwner = role === 'owner' && !(await findOtherOwner(tx, member));
    if (role === 'owner' && !isLastOwner) await requireOtherOwner(tx, member);
    if (isLastOwner && (await hasOthers(tx, member))) {
      throw new AppError(
        'conflict',
        `${email} is the last owner of the account “${name}”, which has other members. An owner makes another member an owner first; a suspended one can after the suspension.`,
      );
    }
    if (isLastOwner) {
      await requireNoMoney(tx, accountId, `${email} is the only member of the account “${name}”, which`);
      await closeAccount(tx, accountId);
      await revokeTeamPrograms(tx, actor, accountId);
    }
    await recordAudit(tx, actor, {
      action: 'member.removed',
      details: `${email} was deleted and is no longer a member of the account “${name}”.`,
      entityType: 'account',
      entityId: accountId,
      before: { email },
    });
  }
  await tx.delete(accountMembers).where(and(eq(accountMembers.userId, userId), ne(accountMembers.accountId, userId)));
}

async function hasOthers(tx: Executor, { accountId, userId }: { accountId: string; userId: string }): Promise<boolean> {
  const [others] = await tx
    .select({ number: count() })
    .from(accountMembers)
    .innerJoin(users, eq(users.id, accountMembers.userId))
    .where(and(eq(accountMembers.accountId, accountId), ne(accountMembers.userId, userId), isNull(users.deletedAt)));
  return (others?.number ?? 0) > 0;
}
