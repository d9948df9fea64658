import type { z } from 'zod';
import { formatMoney, walletCurrency } from '../money';
import type { walletBalanceAnswer, walletTransactionAnswer } from './answers';

/** A line of a wallet as `queries.ts` reads it: a transfer from this wallet's side, or an intent still pending. */
export type WalletTransactionRow = {
  id: string;
  userId: string;
  type: 'credit' | 'debit';
  /** Integer USD cents, never negative; `type` says which way. */
  amountCents: number;
  status: 'Completed' | 'Pending';
  method: string;
  note: string;
  /** ISO 8601 in UTC. */
  createdAt: string;
  orderId: number | null;
  topupId: string | null;
  /** The provider's mode where it was not live: no real money. */
  mode: string | null;
};

/** A wallet transaction of the contract (spec 001, section 3), under all the names its readers use. */
export type WalletTransactionView = z.output<typeof walletTransactionAnswer>;

export function walletTransactionView(row: WalletTransactionRow): WalletTransactionView {
  const amount = row.amountCents / 100;
  const formatted = formatMoney(row.amountCents, walletCurrency);
  const date = row.createdAt.slice(0, 10);
  return {
    id: row.id,
    user_id: row.userId,
    type: row.type,
    amount_cents: row.amountCents,
    amount_dollars: amount,
    amount,
    amount_formatted: formatted,
    amountFormatted: formatted,
    currency: walletCurrency,
    status: row.status,
    method: row.method,
    note: row.note,
    created_at: row.createdAt,
    createdAt: row.createdAt,
    date,
    dateOnly: date,
    meta: {
      ...(row.orderId !== null && { orderId: row.orderId }),
      ...(row.topupId !== null && { topupId: row.topupId }),
      ...(row.mode !== null && { mode: row.mode }),
    },
  };
}

/** GET /api/wallet and /api/wallet/balance. @param balanceCents integer USD cents */
export function walletBalanceView(balanceCents: number): z.output<typeof walletBalanceAnswer> {
  const dollars = balanceCents / 100;
  return {
    balance_cents: balanceCents,
    balance_dollars: dollars,
    balance: dollars,
    balanceUsd: dollars,
    currency: walletCurrency,
  };
}
