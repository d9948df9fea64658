import type { Executor } from '@/db/client';
import type { TransferKind } from '@/db/schema/ledger';
import type { paymentReversals, topups } from '@/db/schema/topups';
import type { AnyActor } from '@/lib/access/actor';
import {
  clearingAccount,
  postTransfer,
  refundTransitAccount,
  suspenseAccount,
  walletAccount,
} from '@/lib/ledger/post-transfer';
import { reclaimFromWallet, settleReceivable } from '@/lib/ledger/receivables';
import { formatMoney } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import type { BookedPayment } from '@/lib/payments/top-ups/queries';
import { recordAudit } from '@/lib/platform/audit/record';

type Reversal = typeof paymentReversals.$inferSelect;
type Posting = {
  topup: typeof topups.$inferSelect;
  payment: BookedPayment;
  reversal: Reversal;
  /** The refund was requested by us: its money left the wallet before. */
  isHeld?: boolean;
};

const takenKinds: Record<Reversal['kind'], TransferKind> = { refund: 'provider_refund', dispute: 'dispute' };

const testCreditPrefix = 'test-credit:';

/**
 * Returns the reference of the refund that removes a test payment from the wallet when its provider goes live.
 * @param known the refunds and disputes of the top-up: money that returns later is removed by another refund
 */
export function testCreditReference(topupId: string, known: readonly Pick<Reversal, 'reference'>[]): string {
  const earlier = known.filter(({ reference }) => isTestCreditReference(reference)).length;
  return `${testCreditPrefix}${topupId}${earlier === 0 ? '' : `:${earlier + 1}`}`;
}

/** Checks whether a refund removes a test payment from the wallet; the provider returns no money. */
export const isTestCreditReference = (reference: string): boolean => reference.startsWith(testCreditPrefix);

/** Returns the key of the provider's refund or dispute. */
const reversalKey = ({ provider, kind, reference }: Pick<Reversal, 'provider' | 'kind' | 'reference'>) =>
  `${provider}:${kind}:${reference}`;

/**
 * Posts a withdrawal: the money left the provider's account. Debits the wallet or suspense account that holds the
 * payment, in one or two transfers.
 */
export async function postWithdrawal(
  tx: Executor,
  actor: AnyActor,
  { topup, payment, reversal, isHeld = false }: Posting,
): Promise<void> {
  const key = reversalKey(reversal);
  if (reversal.excessMinor > 0) {
    await postTransfer(tx, {
      ...commonFields(actor, topup, reversal),
      key: `${key}:excess`,
      kind: takenKinds[reversal.kind],
      from: suspenseAccount,
      to: clearingAccount(topup.provider),
      amountCents: reversal.excessMinor,
      currency: reversal.currency,
      note: 'Taken by the provider in excess of the credit',
    });
  }
  await debitShare(tx, actor, { topup, payment, reversal, isHeld }, { key, amountCents: reversal.amountCents });
}

/** The part of a reversal's excess that now counts against the payment. */
type Reallocation = { cause: string; amountCents: number; freedMinor: number };

/**
 * Posts the reallocation of a refund's or dispute's excess after an earlier reversal was returned: credits the suspense
 * account and debits the wallet.
 * @param covered `cause` is the reference of the returned reversal; `freedMinor` is in the reversal's currency
 */
export async function postReallocatedExcess(
  tx: Executor,
  actor: AnyActor,
  { topup, payment, reversal }: Posting,
  { cause, amountCents, freedMinor }: Reallocation,
): Promise<void> {
  const key = reversalKey(reversal);
  await postTransfer(tx, {
    ...commonFields(actor, topup, reversal),
    key: `${key}:excess:freed:${cause}`,
    kind: 'dispute_reversal',
    from: clearingAccount(topup.provider),
    to: suspenseAccount,
    amountCents: freedMinor,
    currency: reversal.currency,
    note: 'No longer in excess of the credit: an earlier refund or dispute was returned',
  });
  await debitShare(tx, actor, { topup, payment, reversal }, { key: `${key}:covered:${cause}`, amountCents });
}

/**
 * Debits a part of the credit from the account that holds the payment. What the wallet does not hold becomes a
 * receivable.
 */
async function debitShare(
  tx: Executor,
  actor: AnyActor,
  { topup, payment, reversal, isHeld }: Posting,
  { key, amountCents }: { key: string; amountCents: number },
): Promise<void> {
  if (amountCents === 0) return;
  const transfer = {
    ...commonFields(actor, topup, reversal),
    key,
    kind: takenKinds[reversal.kind],
    to: clearingAccount(topup.provider),
    amountCents,
    currency: topup.currency,
    note: formatNote(topup, reversal, amountCents),
  };
  if (isHeld || payment.place === 'suspense') {
    await postTransfer(tx, { ...transfer, from: isHeld ? refundTransitAccount(topup.provider) : suspenseAccount });
    return;
  }
  const { owedCents } = await reclaimFromWallet(tx, { ...transfer, userId: topup.accountId });
  if (owedCents === 0) return;
  await recordAudit(tx, actor, {
    action: 'wallet.owes',
    details: `The wallet no longer held ${formatMoney(owedCents, topup.currency)} of it; its owner owes that amount.`,
    entityType: 'wallet',
    entityId: topup.accountId,
    amountCents: owedCents,
  });
}

/**
 * Posts a reinstatement: the money returned to the provider's account. Credits the account that was debited; a wallet's
 * debt is repaid from it first.
 */
export async function postReinstatement(tx: Executor, actor: AnyActor, { topup, payment, reversal }: Posting) {
  const common = commonFields(actor, topup, reversal);
  const clearing = clearingAccount(topup.provider);
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
      note: 'Returned by the provider in excess of the credit',
    });
  }
  if (reversal.amountCents === 0) return;
  await postTransfer(tx, {
    ...common,
    key,
    kind,
    from: clearing,
    to: payment.place === 'wallet' ? walletAccount(topup.accountId) : suspenseAccount,
    amountCents: reversal.amountCents,
    currency: topup.currency,
    note: reversal.kind === 'refund' ? `Refund by ${common.method} failed` : `Dispute at ${common.method} was won`,
  });
  if (payment.place === 'suspense') return;
  await settleReceivable(tx, topup.accountId, { cause: key, actorId: actor.userId, meta: common.meta });
}

function commonFields(actor: AnyActor, topup: Posting['topup'], reversal: Reversal) {
  return {
    actorId: actor.userId,
    method: providerNames[topup.provider],
    // `topupId` prevents the deletion of the credit; `mode` marks test money.
    meta: { topupId: topup.id, provider: topup.provider, mode: reversal.mode, reference: reversal.reference },
  };
}

/** Formats the note for the wallet's owner, e.g. "Refunded by Stripe: $30.00 of a top-up of $100.00". */
function formatNote(topup: Posting['topup'], reversal: Reversal, amountCents: number): string {
  const name = providerNames[topup.provider];
  if (reversal.reference.startsWith(testCreditPrefix)) return `Test payment removed: ${name} went live`;
  const what = reversal.kind === 'refund' ? `Refunded by ${name}` : `Disputed at ${name}`;
  const part = formatMoney(amountCents, topup.currency);
  return `${what}: ${part} of a top-up of ${formatMoney(topup.amountCents, topup.currency)}`;
}
