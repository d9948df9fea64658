import { and, eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { payoutBatches } from '@/db/schema/payouts';
import { type EventSubject, type PaymentProvider, ProviderError } from '@/lib/payments/providers/provider';

/** Whether an event is about payouts to sellers. */
export const isAboutPayouts = (
  subject: EventSubject,
): subject is EventSubject & { object: 'payout' | 'payout_batch' } =>
  subject.object === 'payout' || subject.object === 'payout_batch';

/**
 * Makes the batch of an event due now, so that the job `run-payout-batches` reads it from the provider. The provider
 * states which batch it is. A batch without the provider's reference has no answer yet and is read after it.
 * A batch of another app on the same account changes nothing.
 * @throws ProviderError when the provider does not respond or does not find the object
 */
export async function wakePayoutBatch(
  { payouts: rail, mode }: PaymentProvider,
  { object, id }: EventSubject & { object: 'payout' | 'payout_batch' },
): Promise<void> {
  if (!rail) throw new ProviderError('The provider sends no payouts');
  const { reference } = await rail.identifyBatch({ object, id });
  await db()
    .update(payoutBatches)
    .set({ nextActionAt: sql`now()`, attempts: 0 })
    .where(and(eq(payoutBatches.mode, mode), eq(payoutBatches.providerReference, reference)));
}
