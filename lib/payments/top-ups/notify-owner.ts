import type { Executor } from '@/db/client';
import type { PaymentNoticeKind } from '@/db/schema/notices';
import type { PaymentProviderName, topups } from '@/db/schema/topups';
import type { AnyActor } from '@/lib/access/actor';
import { apiUrl, eventFor, installationEvent, recordEvents } from '@/lib/events/record';
import { formatMoney } from '@/lib/money';
import { notifyAccount } from '@/lib/notifications/notifications';

/**
 * Creates a notification of a payment for the owner of the wallet, also when the owner's return settled it: whether the
 * return or the webhook comes first is a matter of chance.
 */
export async function notifyOwner(
  tx: Executor,
  actor: AnyActor,
  kind: PaymentNoticeKind,
  { accountId, amountCents, currency }: { accountId: string; amountCents: number; currency: string },
): Promise<void> {
  const subject = formatMoney(amountCents, currency);
  await notifyAccount(tx, actor, { accountId, right: 'account:balance', kind, subject }, { forActor: true });
}

/** A top-up by a provider, or by bank transfer. */
type PaidTopup = Pick<typeof topups.$inferSelect, 'id' | 'accountId' | 'amountCents' | 'currency'> & {
  provider: PaymentProviderName | 'bank';
};

/** Records the events of a top-up that is credited in the transaction. */
export async function recordTopupEvents(tx: Executor, topup: PaidTopup): Promise<void> {
  const { id: topupId, accountId, amountCents, currency, provider } = topup;
  const data = { topupId, amountCents, currency, provider };
  await recordEvents(tx, [
    eventFor('topup.paid', 'buyer', accountId, { ...data, url: apiUrl('/api/wallet') }),
    installationEvent('topup.paid', { ...data, buyerId: accountId, url: apiUrl('/api/admin/wallet/transactions') }),
  ]);
}
