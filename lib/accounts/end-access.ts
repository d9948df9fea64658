import { and, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { accountInvitations, accountMembers, accounts } from '@/db/schema/accounts';
import { apiTokens } from '@/db/schema/api-tokens';
import { users } from '@/db/schema/users';
import type { AnyActor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';
import { losesRight, type Membership, mayManage } from './member-rules';

/**
 * Ends what a member made with rights that are lost: the open invitations that the member could not send any more, through
 * which the person could come back, and with a lower role the API tokens of the account.
 * @param after null for a removed member
 */
export async function endGrants(
  tx: Executor,
  actor: AnyActor & { accountName?: string },
  { accountId, userId }: { accountId: string; userId: string },
  before: Membership,
  after: Membership | null,
): Promise<void> {
  const sent = await tx
    .select()
    .from(accountInvitations)
    .where(and(eq(accountInvitations.accountId, accountId), eq(accountInvitations.invitedBy, userId)));
  const ended = sent.filter((invitation) => after === null || !mayManage(after, invitation));
  if (ended.length > 0) {
    const ids = ended.map(({ id }) => id);
    await tx.delete(accountInvitations).where(inArray(accountInvitations.id, ids));
    await recordAudit(tx, actor, {
      action: 'member.invitation_withdrawn',
      details: `The invitations of ${ended.map(({ email }) => email).join(', ')} ended with the rights of the member who sent them.`,
      entityType: 'account',
      entityId: accountId,
    });
  }
  if (after !== null && !losesRight(before.role, after.role)) return;
  const revoked = await tx
    .update(apiTokens)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(apiTokens.accountId, accountId), eq(apiTokens.userId, userId), isNull(apiTokens.revokedAt)))
    .returning({ name: apiTokens.name });
  if (revoked.length === 0) return;
  await recordAudit(tx, actor, {
    action: 'api_token.revoked',
    details: `The API tokens of a member were revoked: ${revoked.map(({ name }) => `“${name}”`).join(', ')}.`,
    entityType: 'user',
    entityId: userId,
  });
}

/**
 * Finds an owner of an account other than a person. One who is suspended or deleted does not count, except the person of a
 * personal account, who stays its owner.
 */
export async function findOtherOwner(tx: Executor, { accountId, userId }: { accountId: string; userId: string }) {
  const [owner] = await tx
    .select({ email: users.email })
    .from(accountMembers)
    .innerJoin(users, eq(users.id, accountMembers.userId))
    .where(
      and(
        eq(accountMembers.accountId, accountId),
        eq(accountMembers.role, 'owner'),
        ne(accountMembers.userId, userId),
        or(eq(users.status, 'Active'), eq(users.id, accountId)),
        isNull(users.deletedAt),
      ),
    )
    .orderBy(accountMembers.createdAt)
    .limit(1);
  return owner ?? null;
}

/**
 * Requires that an account keeps an owner without a person, and makes that owner its contact if the person was. The
 * account is locked.
 * @throws AppError conflict
 */
export async function requireOtherOwner(
  tx: Executor,
  { accountId, userId, email }: { accountId: string; userId: string; email: string },
): Promise<void> {
  const owner = await findOtherOwner(tx, { accountId, userId });
  if (!owner) {
    throw new AppError(
      'conflict',
      'An account needs an owner. Make another member an owner first, or delete the account.',
    );
  }
  await tx
    .update(accounts)
    .set({ email: owner.email })
    .where(and(eq(accounts.id, accountId), eq(accounts.email, email)));
}
