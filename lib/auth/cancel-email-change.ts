import { db } from '../../db/client';
import { recordAudit } from '../audit/record';
import type { Actor } from './actor';
import { retireEmailTokens } from './email-token';

/** Gives up a change of one's address that waits for its confirmation: the mailed link stops working. */
export async function cancelEmailChange(actor: Actor): Promise<void> {
  await db().transaction(async (tx) => {
    await retireEmailTokens(tx, actor.userId, 'change-email');
    await recordAudit(tx, actor, {
      action: 'user.email_change_cancelled',
      details: `${actor.email} keeps the address.`,
      entityType: 'user',
      entityId: actor.userId,
    });
  });
}
