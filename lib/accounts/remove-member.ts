import { and, eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { accountMembers } from '@/db/schema/accounts';
import { notices } from '@/db/schema/notices';
import { hasAccountRight } from '@/lib/access/account-roles';
import { listConcerned, lockAccount } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { queueMemberNotice } from '@/lib/mail/security-notices';
import { recordAudit } from '@/lib/platform/audit/record';
import { endGrants, requireOtherOwner } from './end-access';
import { requireManageable } from './invite';
import { requireMember } from './require-member';
import { createOwnAccountError, findMember } from './update-member';

/**
 * Removes a member, or the actor, from an account: from the next request on the person sees nothing of it. The API tokens,
 * open invitations and notices of the member in the account end. Orders and requests of the member stay.
 * @throws AppError not_found; forbidden for a member whom the actor does not manage; conflict for the person of a personal
 * account and for the last owner
 */
export async function removeMember(
  actor: Actor,
  { accountId, userId }: { accountId: string; userId: string },
): Promise<void> {
  const isLeaving = userId === actor.userId;
  await db().transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const self = await requireMember(tx, actor, accountId, isLeaving ? null : 'account:members');
    const member = await findMember(tx, { accountId, userId });
    if (userId === accountId) throw createOwnAccountError();
    if (!isLeaving) requireManageable(self, member);
    if (member.role === 'owner') await requireOtherOwner(tx, { accountId, userId, email: member.email });
    await tx
      .delete(accountMembers)
      .where(and(eq(accountMembers.accountId, accountId), eq(accountMembers.userId, userId)));
    await tx.delete(notices).where(and(eq(notices.userId, userId), eq(notices.accountId, accountId)));
    const inAccount = { ...actor, accountName: self.name };
    const { role, projectIds, monthlyLimitCents } = member;
    await recordAudit(tx, inAccount, {
      action: isLeaving ? 'member.left' : 'member.removed',
      details: isLeaving ? `${member.email} left.` : `${member.email} was removed.`,
      entityType: 'account',
      entityId: accountId,
      before: { email: member.email, role, projectIds, monthlyLimitCents },
    });
    await endGrants(tx, inAccount, { accountId, userId }, member, null);
    if (!isLeaving) {
      await queueMemberNotice(tx, member.email, {
        subject: `You are no longer a member of “${self.name}”`,
        text: `${actor.email} removed you. Your orders and documents stay with the account.`,
        advice: 'If you do not expect this, ask an owner of the account.',
      });
    }
    const owners = (await listConcerned(tx, { accountId, right: 'account:manage' })).filter(
      (owner) => owner.userId !== actor.userId,
    );
    await queueMemberNotice(
      tx,
      owners.map(({ email }) => email),
      {
        subject: `${member.email} is no longer a member of “${self.name}”`,
        text: isLeaving ? `${member.email} left the account.` : `${actor.email} removed ${member.email}.`,
        advice: hasAccountRight(role, 'account:programs')
          ? 'The API tokens of this member ended. Webhooks that the member saved last send nothing until another member saves them.'
          : 'The API tokens of this member ended.',
      },
    );
  });
}
