import type { z } from 'zod';
import { formatMoney, walletCurrency } from '@/lib/money';
import type { walletBalanceResponse, walletTransactionResponse } from './responses';
import type { transactionRow } from './transaction-row';

export type WalletTransactionRow = z.output<typeof transactionRow>;

/** A wallet transaction of the API, with every field name that its clients read. */
export type WalletTransactionView = z.output<typeof walletTransactionResponse>;

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
export function walletBalanceView(balanceCents: number): z.output<typeof walletBalanceResponse> {
  const dollars = balanceCents / 100;
  return {
    balance_cents: balanceCents,
    balance_dollars: dollars,
    balance: dollars,
    balanceUsd: dollars,
    currency: walletCurrency,
  };
}
