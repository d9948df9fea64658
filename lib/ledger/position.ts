import type { BooksReport } from './verify-books';

/**
 * The balance sheet of one currency, in minor units: sources of money on one side, uses on the other. `differenceCents`
 * is the difference of the two sides.
 */
export type Position = {
  currency: string;
  /** Received payments that the ledger still records at the payment providers. */
  heldCents: number;
  /** Paid out to the operator's bank account. */
  bankCents: number;
  /** Fees charged by the payment providers. */
  feesCents: number;
  /**
   * Held by a provider in another currency than the ledger credited. The amounts of the two currencies offset each
   * other.
   */
  exchangeCents: number;
  /** Manual credits without a payment. */
  givenCents: number;
  /** Refunded or charged back after the money was spent; users owe it to the platform. */
  receivableCents: number;
  /** The sum of the stored wallet balances. */
  walletsCents: number;
  /** Taken from wallets for refunds to the payment method that the provider has not made. */
  refundsCents: number;
  /** Received but not credited to a wallet. */
  suspenseCents: number;
  /** Paid out together with our money, but owned by other shops on the same provider account. */
  passThroughCents: number;
  /** Reserved for placements until their delivery is approved. */
  reservedCents: number;
  /** The sum of the stored balances of sellers, and payouts that are neither paid nor returned. */
  sellersCents: number;
  /** Order revenue, less refunds. */
  earnedCents: number;
  /** Sources less uses; any value but 0 is an error. */
  differenceCents: number;
};

/**
 * Computes the balance sheet of each currency from a report's totals. Accounts that money comes out of (clearing,
 * adjustments, receivables) have negative balances in the ledger.
 */
export function computePositions({ totals }: Pick<BooksReport, 'totals'>): Position[] {
  const currencies = [...new Set(totals.map((total) => total.currency))].sort(usdFirst);
  return currencies.map((currency) => {
    const find = (kind: string) => totals.find((total) => total.kind === kind && total.currency === currency);
    const sum = (kind: string) => find(kind)?.balanceCents ?? 0;
    const stored = (kind: string) => find(kind)?.storedCents ?? sum(kind);
    const sides = {
      // Subtracting from 0 avoids `-0` for empty accounts.
      heldCents: 0 - sum('clearing'),
      bankCents: 0 - sum('bank'),
      feesCents: 0 - sum('fees'),
      exchangeCents: 0 - sum('exchange'),
      givenCents: 0 - sum('adjustments'),
      receivableCents: 0 - sum('receivable'),
      walletsCents: stored('wallet'),
      refundsCents: sum('refund_transit'),
      suspenseCents: sum('suspense'),
      passThroughCents: sum('pass_through'),
      reservedCents: sum('reserved'),
      sellersCents: stored('seller_pending') + stored('seller_payable') + sum('payout_transit'),
      earnedCents: sum('revenue'),
    };
    const atProviders = sides.heldCents + sides.bankCents + sides.feesCents + sides.exchangeCents;
    const sources = atProviders + sides.givenCents + sides.receivableCents;
    const owed = sides.walletsCents + sides.refundsCents + sides.suspenseCents + sides.passThroughCents;
    const uses = owed + sides.reservedCents + sides.sellersCents + sides.earnedCents;
    return { currency, ...sides, differenceCents: sources - uses };
  });
}

const usdFirst = (one: string, other: string) =>
  Number(other === 'USD') - Number(one === 'USD') || one.localeCompare(other);
