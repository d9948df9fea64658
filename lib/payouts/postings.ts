import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { payouts } from '@/db/schema/payouts';
import {
  clearingAccount,
  type LedgerAccount,
  payoutTransitAccount,
  sellerPayableAccount,
  type Transfer,
} from '@/lib/ledger/post-transfer';
import { walletCurrency } from '@/lib/money';

export type Payout = typeof payouts.$inferSelect;
type Parties = Pick<Payout, 'id' | 'sellerId' | 'methodKind' | 'amountCents' | 'feeCents'>;

/** Returns what the seller receives, in USD cents. */
export const getNetCents = ({ amountCents, feeCents }: Pick<Payout, 'amountCents' | 'feeCents'>): number =>
  amountCents - feeCents;

/** Returns where the money of a paid payout comes from: the balance at PayPal, or the operator's bank account. */
const sourceAccount = ({ methodKind }: Parties): LedgerAccount =>
  methodKind === 'paypal' ? clearingAccount('paypal') : { kind: 'bank', owner: 'payouts' };

/** The fees that sellers pay for payouts. */
const feesAccount: LedgerAccount = { kind: 'fees', owner: 'payouts' };

const common = ({ id }: Parties, actorId: string | null) => ({
  currency: walletCurrency,
  actorId,
  method: 'Payout',
  meta: { payoutId: id },
});

/** Returns the keys of a payout's transfers, which the proof has too (lib/ledger/proof/payout-checks.ts). */
const keyOf = ({ id }: Parties, part = '') => `payout:${id}${part}`;

/** Returns the SQL of the key of the transfer that returned a payout. */
export const returnKeyOf = (payoutId: SQLWrapper): SQL => sql`'payout:' || ${payoutId} || ':returned'`;

/** Moves the amount out of the seller's balance. */
export const requestPosting = (payout: Parties, actorId: string | null): Transfer => ({
  ...common(payout, actorId),
  key: keyOf(payout),
  kind: 'seller_payout',
  from: sellerPayableAccount(payout.sellerId),
  to: payoutTransitAccount(payout.methodKind),
  amountCents: payout.amountCents,
  note: 'Payout requested',
});

/** Moves what the seller receives out of the operator's account, and keeps the fee. */
export function paidPostings(payout: Parties, actorId: string | null): Transfer[] {
  const from = payoutTransitAccount(payout.methodKind);
  const paid: Transfer = {
    ...common(payout, actorId),
    key: keyOf(payout, ':paid'),
    kind: 'seller_payout_paid',
    from,
    to: sourceAccount(payout),
    amountCents: getNetCents(payout),
    note: 'Payout paid',
  };
  if (payout.feeCents === 0) return [paid];
  const fee: Transfer = {
    ...common(payout, actorId),
    key: keyOf(payout, ':fee'),
    kind: 'seller_payout_fee',
    from,
    to: feesAccount,
    amountCents: payout.feeCents,
    note: 'Fee of the payout',
  };
  return [paid, fee];
}

/** Moves the provider's fee out of its clearing account; the operator pays it. */
export const providerFeePosting = (payout: Parties, actorId: string | null, feeCents: number): Transfer => ({
  ...common(payout, actorId),
  key: keyOf(payout, ':provider-fee'),
  kind: 'provider_fee',
  from: { kind: 'fees', owner: 'paypal' },
  to: clearingAccount('paypal'),
  amountCents: feeCents,
  note: 'Fee of PayPal for the payout',
});

/** Returns the whole amount, also the fee, to the seller's balance. */
export function returnPostings(payout: Parties, actorId: string | null, wasPaid: boolean): Transfer[] {
  const to = sellerPayableAccount(payout.sellerId);
  const returned = {
    ...common(payout, actorId),
    key: keyOf(payout, ':returned'),
    kind: 'seller_payout_return' as const,
    to,
  };
  const { amountCents, feeCents } = payout;
  if (!wasPaid) {
    return [{ ...returned, from: payoutTransitAccount(payout.methodKind), amountCents, note: 'Payout not paid' }];
  }
  const net = { ...returned, from: sourceAccount(payout), amountCents: getNetCents(payout), note: 'Payout returned' };
  if (feeCents === 0) return [net];
  const key = keyOf(payout, ':fee-returned');
  return [net, { ...returned, key, from: feesAccount, amountCents: feeCents, note: 'Fee of the payout returned' }];
}
