import { db } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { requireFlag } from '@/lib/settings/feature-flags';
import { announceRefund } from './announce';
import { findByKey, findRequested, insertRefund, lockTopup } from './insert';
import { auditRefund } from './move';
import type { SourceRefund } from './postings';
import { findRefundable, requireRefundable } from './refundable';
import type { RequestRefundInput } from './schemas';

/**
 * Requests a refund of a buyer's top-up to the card or account that paid it. No money moves until staff approve it.
 * @param key a repeat with the same Idempotency-Key and request returns the first refund
 * @throws AppError not_configured while these refunds are turned off, not_found, also for the top-up of another user,
 * conflict while a request of this top-up waits or nothing can be refunded, invalid_input for an amount that is not there
 */
export async function requestRefund(
  actor: Actor,
  input: RequestRefundInput,
  key: string | null = null,
): Promise<SourceRefund> {
  const first = await findByKey(db(), actor.userId, key, input);
  if (first) return first;
  await consumeLimit('refundRequest', { account: actor.userId, address: actor.ip });
  return db().transaction(async (tx) => {
    await requireFlag('refunds-to-source', tx);
    const topup = await lockTopup(tx, input.topupId);
    if (topup.userId !== actor.userId) throw new AppError('not_found', 'This top-up does not exist.');
    const repeated = await findByKey(tx, actor.userId, key, input);
    if (repeated) return repeated;
    if (await findRequested(tx, topup.id)) {
      throw new AppError(
        'conflict',
        'You requested a refund of this top-up already. Wait for our answer, or withdraw it.',
      );
    }
    const { paymentReference } = requireRefundable(await findRefundable(tx, topup), input.amountCents, topup.currency);
    const refund = await insertRefund(tx, { ...input, topup, paymentReference, requestedBy: actor.userId, key });
    await auditRefund(tx, actor, refund, {
      what: 'was requested by the buyer',
      after: { topupId: topup.id, reason: refund.reason },
    });
    await announceRefund(tx, actor, refund);
    return refund;
  });
}
