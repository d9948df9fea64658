import type { Executor } from '@/db/client';
import type { PaymentNoticeKind } from '@/db/schema/notices';
import type { AnyActor } from '@/lib/access/actor';
import { formatMoney } from '@/lib/money';
import { createNotification } from '@/lib/notifications/notifications';

/**
 * Creates a notification of a payment for the owner of the wallet, also when the owner's return settled it: whether the
 * return or the webhook comes first is a matter of chance.
 */
export async function notifyOwner(
  tx: Executor,
  actor: AnyActor,
  kind: PaymentNoticeKind,
  { userId, amountCents, currency }: { userId: string; amountCents: number; currency: string },
): Promise<void> {
  const subject = formatMoney(amountCents, currency);
  await createNotification(tx, actor, { userId, kind, subject }, { forActor: true });
}
