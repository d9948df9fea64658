import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { accountInvitations, accountMembers, accounts } from '@/db/schema/accounts';
import { apiTokens } from '@/db/schema/api-tokens';
import { users } from '@/db/schema/users';
import type { AnyActor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';

/**
 * Ends what a member made with rights that are lost: the API tokens of the account, and the invitations that were not
 * accepted, through which the person could come back.
 */
export async function endGrants(
  tx: Executor,
  actor: AnyActor & { accountName?: string },
  { accountId, userId }: { accountId: string; userId: string },
): Promise<void> {
  await tx
    .delete(accountInvitations)
    .where(and(eq(accountInvitations.accountId, accountId), eq(accountInvitations.invitedBy, userId)));
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

/** Finds an owner of an account other than a person; one who is suspended or deleted does not count. */
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
        eq(users.status, 'Active'),
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
