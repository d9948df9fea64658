import type { Executor } from '@/db/client';
import type { topups } from '@/db/schema/topups';
import { apiUrl, eventFor, installationEvent, recordEvents } from '@/lib/events/record';

type PaidTopup = Pick<typeof topups.$inferSelect, 'id' | 'userId' | 'amountCents' | 'currency' | 'provider'>;

/** Records the events of a top-up that is credited in the transaction. */
export async function recordTopupEvents(tx: Executor, topup: PaidTopup): Promise<void> {
  const { id: topupId, userId, amountCents, currency, provider } = topup;
  const data = { topupId, amountCents, currency, provider };
  await recordEvents(tx, [
    eventFor('topup.paid', 'buyer', userId, { ...data, url: apiUrl('/api/wallet') }),
    installationEvent('topup.paid', { ...data, buyerId: userId, url: apiUrl('/api/admin/wallet/transactions') }),
  ]);
}
