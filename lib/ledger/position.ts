import type { BooksReport } from './verify-books';

/** Where the money of one currency came from and where it stands, in minor units. Both sides are equal, or it shows. */
export type Position = {
  currency: string;
  /** Paid in and, by the books, still with the payment providers. */
  heldCents: number;
  /** Paid out to the operator's bank. */
  bankCents: number;
  /** Kept by the payment providers as their fees. */
  feesCents: number;
  /** Kept by a provider in another currency than it was credited in: what is missing here is there, and reverse. */
  exchangeCents: number;
  /** Credited to wallets by hand, without a payment. */
  givenCents: number;
  /** Refunded or charged back after it was spent: its owners owe it. */
  receivableCents: number;
  /** What buyers may spend, by the balances that the wallets store. */
  walletsCents: number;
  /** Paid in but credited to nobody. */
  suspenseCents: number;
  /** Paid out together with our money, but of other shops at the same provider account. */
  passThroughCents: number;
  sellersCents: number;
  /** What orders cost, less what was refunded. */
  earnedCents: number;
  /** What came less where it stands: anything but 0 is a fault. */
  differenceCents: number;
};

/** Reads a report's sums as two sides. Accounts that money comes out of (providers, hand, debts) are negative there. */
export function positionsOf({ totals }: Pick<BooksReport, 'totals'>): Position[] {
  const currencies = [...new Set(totals.map((total) => total.currency))].sort(usdFirst);
  return currencies.map((currency) => {
    const find = (kind: string) => totals.find((total) => total.kind === kind && total.currency === currency);
    const sum = (kind: string) => find(kind)?.balanceCents ?? 0;
    const wallets = find('wallet');
    const sides = {
      // Not `-0`, where there is nothing.
      heldCents: 0 - sum('clearing'),
      bankCents: 0 - sum('bank'),
      feesCents: 0 - sum('fees'),
      exchangeCents: 0 - sum('exchange'),
      givenCents: 0 - sum('adjustments'),
      receivableCents: 0 - sum('receivable'),
      walletsCents: wallets?.storedCents ?? wallets?.balanceCents ?? 0,
      suspenseCents: sum('suspense'),
      passThroughCents: sum('pass_through'),
      sellersCents: sum('seller_payable'),
      earnedCents: sum('revenue'),
    };
    const atProviders = sides.heldCents + sides.bankCents + sides.feesCents + sides.exchangeCents;
    const came = atProviders + sides.givenCents + sides.receivableCents;
    const stands =
      sides.walletsCents + sides.suspenseCents + sides.passThroughCents + sides.sellersCents + sides.earnedCents;
    return { currency, ...sides, differenceCents: came - stands };
  });
}

const usdFirst = (one: string, other: string) =>
  Number(other === 'USD') - Number(one === 'USD') || one.localeCompare(other);
