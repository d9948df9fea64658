import { eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { payoutBatches } from '@/db/schema/payouts';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { batchNotFoundError } from '@/lib/payouts/batches';
import { recordAudit } from '@/lib/platform/audit/record';
import { isTooOldToSend } from './run-batches';

/**
 * Makes a batch of PayPal payouts due now: the job sends it again or reads it.
 * @throws AppError not_found for another batch, conflict for one that PayPal refused, or that is too old to be sent
 */
export const retryPayoutBatch = (actor: Actor, id: string): Promise<void> =>
  db().transaction(async (tx) => {
    const [batch] = await tx.select().from(payoutBatches).where(eq(payoutBatches.id, id)).for('no key update');
    if (batch?.kind !== 'paypal') throw batchNotFoundError();
    if (batch.providerReference === null && (batch.nextActionAt === null || isTooOldToSend(batch))) {
      throw new AppError('conflict', 'This batch is over and is not sent again.');
    }
    await tx.update(payoutBatches).set({ nextActionAt: sql`now()` }).where(eq(payoutBatches.id, id));
    await recordAudit(tx, actor, {
      action: 'payout_batch.retried',
      details: 'A batch of PayPal payouts was tried again.',
      entityType: 'payout_batch',
      entityId: id,
    });
  });
