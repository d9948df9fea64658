import type { BooksReport } from './verify-books';

/**
 * Computes the balance sheet of each currency from a report's totals, in minor units: sources of money on one side, uses
 * on the other. Accounts that money comes out of (clearing, adjustments, receivables) have negative balances in the
 * ledger.
 */
export function computePositions({ totals }: Pick<BooksReport, 'totals'>) {
  const currencies = [...new Set(totals.map((total) => total.currency))].sort(usdFirst);
  return currencies.map((currency) => {
    const find = (kind: string) => totals.find((total) => total.kind === kind && total.currency === currency);
    const sum = (kind: string) => find(kind)?.balanceCents ?? 0;
    const stored = (kind: string) => find(kind)?.storedCents ?? sum(kind);
    const sides = {
      // Subtracting from 0 avoids `-0` for empty accounts.
      /** Received payments that the ledger still records at the payment providers. */
      heldCents: 0 - sum('clearing'),
      /** Paid out to the operator's bank account. */
      bankCents: 0 - sum('bank'),
      /** Fees charged by the payment providers. */
      feesCents: 0 - sum('fees'),
      /**
       * Held by a provider in another currency than the ledger credited. The amounts of the two currencies offset each
       * other.
       */
      exchangeCents: 0 - sum('exchange'),
      /** Manual credits without a payment. */
      givenCents: 0 - sum('adjustments'),
      /** Refunded or charged back after the money was spent; users owe it to the platform. */
      receivableCents: 0 - sum('receivable'),
      /** The sum of the stored wallet balances. */
      walletsCents: stored('wallet'),
      /** Taken from wallets for refunds to the payment method that the provider has not made. */
      refundsCents: sum('refund_transit'),
      /** Received but not credited to a wallet. */
      suspenseCents: sum('suspense'),
      /** Paid out together with our money, but owned by other shops on the same provider account. */
      passThroughCents: sum('pass_through'),
      /** Tax that buyers paid, which the operator owes to the countries. */
      taxCents: sum('tax'),
      /** Reserved for placements until their delivery is approved. */
      reservedCents: sum('reserved'),
      /** The sum of the stored balances of sellers, and payouts that are neither paid nor returned. */
      sellersCents: stored('seller_pending') + stored('seller_payable') + sum('payout_transit'),
      /** Order revenue, less refunds. */
      earnedCents: sum('revenue'),
    };
    const atProviders = sides.heldCents + sides.bankCents + sides.feesCents + sides.exchangeCents;
    const sources = atProviders + sides.givenCents + sides.receivableCents;
    const owed =
      sides.walletsCents + sides.refundsCents + sides.suspenseCents + sides.passThroughCents + sides.taxCents;
    const uses = owed + sides.reservedCents + sides.sellersCents + sides.earnedCents;
    // Any value but 0 is an error.
    return { currency, ...sides, differenceCents: sources - uses };
  });
}

export type Position = ReturnType<typeof computePositions>[number];

const usdFirst = (one: string, other: string) =>
  Number(other === 'USD') - Number(one === 'USD') || one.localeCompare(other);
