import type { Executor } from '@/db/client';
import type { TransferKind } from '@/db/schema/ledger';
import type { paymentReversals, topups } from '@/db/schema/topups';
import type { AnyActor } from '../../access/actor';
import { clearingOf, postTransfer, suspenseAccount, walletOf } from '../../ledger/post-transfer';
import { settleReceivable } from '../../ledger/receivables';
import { takeBack } from '../../ledger/take-back';
import { formatMoney } from '../../money';
import { recordAudit } from '../../platform/audit/record';
import { providerNames } from '../providers/names';
import type { BookedPayment } from '../top-ups/find-payment';

type Reversal = typeof paymentReversals.$inferSelect;
type Posting = { topup: typeof topups.$inferSelect; payment: BookedPayment; reversal: Reversal };

const takenKinds: Record<Reversal['kind'], TransferKind> = { refund: 'provider_refund', dispute: 'dispute' };

const testCreditPrefix = 'test-credit:';

/** Names the refund that takes a test payment out of the wallet when its provider goes live. */
export const testCreditReference = (topupId: string): string => `${testCreditPrefix}${topupId}`;

/** Names the provider's refund or dispute. */
const reversalKey = ({ provider, kind, reference }: Pick<Reversal, 'provider' | 'kind' | 'reference'>) =>
  `${provider}:${kind}:${reference}`;

/** The money left the provider's account: out of where the payment stands, in one transfer or two. */
export async function takeReversal(
  tx: Executor,
  actor: AnyActor,
  { topup, payment, reversal }: Posting,
): Promise<void> {
  const common = commonOf(actor, topup, reversal);
  const clearing = clearingOf(topup.provider);
  const kind = takenKinds[reversal.kind];
  const key = reversalKey(reversal);
  if (reversal.excessMinor > 0) {
    await postTransfer(tx, {
      ...common,
      key: `${key}:excess`,
      kind,
      from: suspenseAccount,
      to: clearing,
      amountCents: reversal.excessMinor,
      currency: reversal.currency,
      note: 'Taken back by the provider beyond what was credited',
    });
  }
  await takeShare(tx, actor, { topup, payment, reversal }, { key, amountCents: reversal.amountCents });
}

/** What a reversal took beyond the payment, and what of it counts against the payment after all. */
type Covered = { cause: string; amountCents: number; freedMinor: number };

/**
 * Part of what a refund or dispute took is beyond the payment no more, since an earlier one that had taken it came back:
 * suspense is made good, and the wallet gives what suspense had given.
 * @param covered `cause` names the reversal that came back; `freedMinor` in the reversal's currency
 */
export async function coverExcess(
  tx: Executor,
  actor: AnyActor,
  { topup, payment, reversal }: Posting,
  { cause, amountCents, freedMinor }: Covered,
): Promise<void> {
  const key = reversalKey(reversal);
  await postTransfer(tx, {
    ...commonOf(actor, topup, reversal),
    key: `${key}:excess:freed:${cause}`,
    kind: 'dispute_reversal',
    from: clearingOf(topup.provider),
    to: suspenseAccount,
    amountCents: freedMinor,
    currency: reversal.currency,
    note: 'No longer beyond what was credited: an earlier refund or dispute came back',
  });
  await takeShare(tx, actor, { topup, payment, reversal }, { key: `${key}:covered:${cause}`, amountCents });
}

/** Takes a part of the credit from where the payment stands; what a wallet does not hold any more, its owner owes. */
async function takeShare(
  tx: Executor,
  actor: AnyActor,
  { topup, payment, reversal }: Posting,
  { key, amountCents }: { key: string; amountCents: number },
): Promise<void> {
  if (amountCents === 0) return;
  const note = noteOf(topup, reversal, amountCents);
  const kind = takenKinds[reversal.kind];
  const to = clearingOf(topup.provider);
  const asked = { ...commonOf(actor, topup, reversal), key, kind, to, amountCents, currency: topup.currency, note };
  if (payment.place === 'suspense') {
    await postTransfer(tx, { ...asked, from: suspenseAccount });
    return;
  }
  const { owedCents } = await takeBack(tx, { ...asked, userId: topup.userId });
  if (owedCents === 0) return;
  await recordAudit(tx, actor, {
    action: 'wallet.owes',
    details: `The wallet did not hold ${formatMoney(owedCents, topup.currency)} of it any more; its owner owes that.`,
    entityType: 'wallet',
    entityId: topup.userId,
    amountCents: owedCents,
  });
}

/** The money is back in the provider's account: to where it was taken from; a debt is paid from it first. */
export async function giveBackReversal(
  tx: Executor,
  actor: AnyActor,
  { topup, payment, reversal }: Posting,
): Promise<void> {
  const common = commonOf(actor, topup, reversal);
  const clearing = clearingOf(topup.provider);
  const key = `${reversalKey(reversal)}:returned`;
  const kind = 'dispute_reversal';
  if (reversal.excessMinor > 0) {
    await postTransfer(tx, {
      ...common,
      key: `${key}:excess`,
      kind,
      from: clearing,
      to: suspenseAccount,
      amountCents: reversal.excessMinor,
      currency: reversal.currency,
      note: 'Given back by the provider beyond what was credited',
    });
  }
  if (reversal.amountCents === 0) return;
  await postTransfer(tx, {
    ...common,
    key,
    kind,
    from: clearing,
    to: payment.place === 'wallet' ? walletOf(topup.userId) : suspenseAccount,
    amountCents: reversal.amountCents,
    currency: topup.currency,
    note: reversal.kind === 'refund' ? `Refund by ${common.method} failed` : `Dispute at ${common.method} was won`,
  });
  if (payment.place === 'suspense') return;
  await settleReceivable(tx, topup.userId, { cause: key, actorId: actor.userId, meta: common.meta });
}

function commonOf(actor: AnyActor, topup: Posting['topup'], reversal: Reversal) {
  return {
    actorId: actor.userId,
    method: providerNames[topup.provider],
    // `topupId` tells a deletion that this top-up must stay; `mode` marks money that is not real.
    meta: { topupId: topup.id, provider: topup.provider, mode: reversal.mode, reference: reversal.reference },
  };
}

/** "Refunded by Stripe: $30.00 of a top-up of $100.00", for the person whose wallet it is. */
function noteOf(topup: Posting['topup'], reversal: Reversal, amountCents: number): string {
  const name = providerNames[topup.provider];
  if (reversal.reference.startsWith(testCreditPrefix)) return `Test payment removed: ${name} went live`;
  const what = reversal.kind === 'refund' ? `Refunded by ${name}` : `Disputed at ${name}`;
  const part = formatMoney(amountCents, topup.currency);
  return `${what}: ${part} of a top-up of ${formatMoney(topup.amountCents, topup.currency)}`;
}
