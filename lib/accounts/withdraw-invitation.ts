import { and, eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { accountInvitations } from '@/db/schema/accounts';
import { lockAccount } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';
import { requireManageable } from './invite';
import { requireMember } from './require-member';

/** Withdraws an invitation: its link stops working. @throws AppError not_found, forbidden for one that the actor cannot give */
export async function withdrawInvitation(
  actor: Actor,
  { accountId, invitationId }: { accountId: string; invitationId: string },
): Promise<void> {
  await db().transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const self = await requireMember(tx, actor, accountId, 'account:members');
    const isThis = and(eq(accountInvitations.accountId, accountId), eq(accountInvitations.id, invitationId));
    const [open] = await tx.select().from(accountInvitations).where(isThis);
    if (!open) throw new AppError('not_found', 'This invitation was accepted, withdrawn or has ended.');
    requireManageable(self, open);
    await tx.delete(accountInvitations).where(isThis);
    await recordAudit(
      tx,
      { ...actor, accountName: self.name },
      {
        action: 'member.invitation_withdrawn',
        details: `The invitation of ${open.email} was withdrawn.`,
        entityType: 'account',
        entityId: accountId,
      },
    );
  });
}
