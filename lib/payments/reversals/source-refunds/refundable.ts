import { and, eq, inArray } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { sourceRefunds } from '@/db/schema/source-refunds';
import { paymentReversals } from '@/db/schema/topups';
import { AppError } from '@/lib/errors';
import { getOwedCents, getWalletBalance } from '@/lib/ledger/balance';
import { formatMoney } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import { computeReversalShare, filterTaken, multiplyRatio, sumTaken } from '@/lib/payments/reversals/reversal-share';
import { listPayments, paymentKey, type Topup } from '@/lib/payments/top-ups/queries';
import type { SourceRefund } from './postings';

type Reversal = typeof paymentReversals.$inferSelect;

/** Amounts at the provider in minor units of the charge, and from the buyer in cents. */
type Amounts = { amountMinor: number; amountCents: number };

/** Sums the refunds that took money from the wallet and that the provider has not made. */
export function sumHeld(refunds: readonly SourceRefund[]): Amounts {
  const sum = { amountMinor: 0, amountCents: 0 };
  for (const { money, chargeMinor, amountCents } of refunds) {
    if (money !== 'held') continue;
    sum.amountMinor += chargeMinor ?? 0;
    sum.amountCents += amountCents;
  }
  return sum;
}

/** Reads the refunds of a payment by the state of their money. */
export const listPaymentRefunds = (
  tx: Executor,
  topupId: string,
  paymentReference: string,
  ...money: SourceRefund['money'][]
): Promise<SourceRefund[]> =>
  tx
    .select()
    .from(sourceRefunds)
    .where(
      and(
        eq(sourceRefunds.topupId, topupId),
        eq(sourceRefunds.paymentReference, paymentReference),
        inArray(sourceRefunds.money, money),
      ),
    );

/** Why a top-up cannot be refunded to its payment method now, or how much of it can. */
export type Refundable =
  | { refusal: string }
  | {
      refusal: null;
      paymentReference: string;
      /** What the payment still has, in wallet cents and in minor units of the charge. */
      left: Amounts;
      /** What refunds and disputes took, with the refunds in progress. */
      used: Amounts;
      /** The lower of what the payment still has and what the wallet holds, in cents. */
      refundableCents: number;
    };

/**
 * Computes what can be refunded of a top-up. Under the top-up's row lock the result holds until the end of the
 * transaction, except for the wallet's balance, which the ledger checks again.
 */
export async function findRefundable(tx: Executor, topup: Topup): Promise<Refundable> {
  const [found] = await listRefundable(tx, topup.accountId, [topup]);
  if (!found) throw new Error('A top-up has no result.');
  return found;
}

/**
 * Computes what can be refunded of each top-up of an account, in as many statements as of one.
 * @returns in the order of the top-ups
 */
export async function listRefundable(on: Executor, accountId: string, topups: readonly Topup[]): Promise<Refundable[]> {
  const ids = topups.map(({ id }) => id);
  const references = topups.flatMap(({ provider, paymentReference }) =>
    paymentReference === null ? [] : [{ provider, paymentReference }],
  );
  const isActive = inArray(sourceRefunds.money, ['held', 'sent']);
  const [payments, reversals, refunds, balanceCents, owedCents] = await Promise.all([
    listPayments(on, references),
    on.select().from(paymentReversals).where(inArray(paymentReversals.topupId, ids)),
    on
      .select()
      .from(sourceRefunds)
      .where(and(inArray(sourceRefunds.topupId, ids), isActive)),
    getWalletBalance(accountId, on),
    getOwedCents(accountId, on),
  ]);
  return topups.map((topup) => {
    const { id, provider, paymentReference } = topup;
    const payment = paymentReference && payments.find(({ key }) => key === paymentKey({ provider, paymentReference }));
    if (!paymentReference || !payment || payment.topupId !== id || payment.place !== 'wallet')
      return { refusal: 'This top-up has no payment that was credited to the wallet.' };
    const isOfPayment = (one: { topupId: string; paymentReference: string }) =>
      one.topupId === id && one.paymentReference === paymentReference;
    const facts = { reversals: reversals.filter(isOfPayment), refunds: refunds.filter(isOfPayment) };
    return computeRefundable({ ...topup, paymentReference }, { ...facts, balanceCents, owedCents });
  });
}

function computeRefundable(
  topup: Topup & { paymentReference: string },
  facts: { reversals: Reversal[]; refunds: SourceRefund[]; balanceCents: number; owedCents: number },
): Refundable {
  const { reversals, refunds, balanceCents, owedCents } = facts;
  if (reversals.some(isOpenDispute)) {
    return {
      refusal: `A dispute of this payment is open at ${providerNames[topup.provider]}. It returns the money to the buyer if the buyer wins it.`,
    };
  }
  if (owedCents > 0) {
    return {
      refusal: `The wallet's owner owes ${formatMoney(owedCents, topup.currency)} from refunded or disputed payments, which must be paid first.`,
    };
  }
  const reversed = sumTaken(filterTaken(topup, reversals));
  const held = sumHeld(refunds);
  const used = {
    amountMinor: reversed.amountMinor - reversed.excessMinor + held.amountMinor,
    amountCents: reversed.amountCents + held.amountCents,
  };
  const pending = sumPending(reversals, refunds, topup);
  const pendingCents = pending === 0 ? 0 : computeReversalShare(topup, used, pending).amountCents;
  const left = {
    amountMinor: Math.max(topup.chargeAmountMinor - used.amountMinor - pending, 0),
    amountCents: Math.max(topup.amountCents - used.amountCents - pendingCents, 0),
  };
  if (left.amountCents === 0 || left.amountMinor === 0) {
    return { refusal: 'This payment was refunded in full, or its refund is in progress.' };
  }
  const refundableCents = Math.min(left.amountCents, balanceCents);
  return { refusal: null, paymentReference: topup.paymentReference, left, used, refundableCents };
}

/** Checks whether a dispute is open: its money may be withdrawn, or was and is not decided. */
const isOpenDispute = ({ kind, outcome, money }: Reversal) =>
  kind === 'dispute' && outcome === null && money !== 'returned';

/** Sums the refunds that were made at the provider and are pending there (PayPal's eChecks), without our own. */
function sumPending(reversals: readonly Reversal[], own: readonly SourceRefund[], topup: Topup): number {
  const ours = new Set(own.map(({ providerReference }) => providerReference));
  return reversals
    .filter(({ kind, money, currency }) => kind === 'refund' && money === 'kept' && currency === topup.chargeCurrency)
    .filter(({ reference }) => !ours.has(reference))
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/**
 * Converts the amount of a refund to the currency of the charge. Partial refunds add up to the charge exactly: the one
 * that takes the last cent of the credit takes what is left of the charge.
 * @param amountCents at most `left.amountCents`
 * @throws AppError invalid_input for an amount that is too small to be charged
 */
export function computeChargeMinor(
  topup: Pick<Topup, 'amountCents' | 'chargeAmountMinor'>,
  { left, used }: { left: Amounts; used: Amounts },
  amountCents: number,
): number {
  if (amountCents === left.amountCents) return left.amountMinor;
  const until = multiplyRatio(topup.chargeAmountMinor, used.amountCents + amountCents, topup.amountCents);
  const chargeMinor = until - used.amountMinor;
  if (chargeMinor <= 0 || chargeMinor >= left.amountMinor) {
    const message = 'This amount cannot be expressed in the currency of the payment. Choose another amount.';
    throw new AppError('invalid_input', message, { fields: { amountCents: message } });
  }
  return chargeMinor;
}

/**
 * Requires that an amount can be refunded.
 * @throws AppError conflict with the reason while nothing can be refunded, invalid_input for a larger amount
 */
export function requireRefundable(
  refundable: Refundable,
  amountCents: number,
  currency: string,
): Extract<Refundable, { refusal: null }> {
  if (refundable.refusal !== null) throw new AppError('conflict', refundable.refusal);
  if (amountCents <= refundable.refundableCents) return refundable;
  const message =
    refundable.refundableCents === 0
      ? 'The wallet is empty, so nothing can be refunded.'
      : `At most ${formatMoney(refundable.refundableCents, currency)} can be refunded: what the payment still has, and what the wallet holds.`;
  throw new AppError('invalid_input', message, { fields: { amountCents: message } });
}
