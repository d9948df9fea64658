import { z } from 'zod';
import { type TransferKind, transferKinds } from '@/db/schema/ledger';
import { formatUsd, walletCurrency } from '@/lib/money';
import type { ManualTopup } from './manual-topup';
import type { transactionRow } from './transaction-pages';

const kind = z.enum(['credit', 'debit']);
const currency = z.literal(walletCurrency);

/** A wallet transaction of the API, with every field name that its clients read. */
export const walletTransactionResponse = z
  .object({
    id: z.string(),
    user_id: z.string(),
    type: kind,
    amount_cents: z.int().describe('Never negative; `type` gives the direction.'),
    amount_dollars: z.number(),
    amount: z.number(),
    amount_formatted: z.string(),
    amountFormatted: z.string(),
    currency,
    status: z.enum(['Completed', 'Pending']),
    method: z.string(),
    note: z.string(),
    created_at: z.iso.datetime(),
    createdAt: z.iso.datetime(),
    date: z.iso.date().describe('In UTC.'),
    dateOnly: z.iso.date(),
    meta: z.object({
      orderId: z.int().optional(),
      topupId: z.string().optional(),
      mode: z.string().optional().describe("The provider's mode if it was not live: no real money."),
    }),
  })
  .meta({ title: 'WalletTransaction' });

/** The same for admins. */
export const adminTransactionResponse = walletTransactionResponse
  .extend({
    user_name: z.string(),
    user_email: z.string(),
    kind: z.enum([...transferKinds, 'pending']),
    undeletable_reason: z.string().nullable().describe('Null if it can be deleted, as long as its money is there.'),
  })
  .meta({ title: 'AdminTransaction' });

/** GET /api/wallet and /api/wallet/balance. */
export const walletBalanceResponse = z
  .object({
    balance_cents: z.int(),
    balance_dollars: z.number(),
    balance: z.number(),
    balanceUsd: z.number(),
    currency,
  })
  .meta({ title: 'WalletBalance' });

/** POST /api/admin/wallet/topup. */
export const manualTopupResponse = z.object({
  id: z.string(),
  user_id: z.string(),
  type: z.literal('credit'),
  amount_cents: z.int(),
  amount_formatted: z.string(),
  currency,
  status: z.enum(['Completed', 'Pending']).describe('Pending: a second person must approve it.'),
  balance_cents: z.int(),
});

/**
 * POST /api/admin/wallet/recalc/{userId}: the new balance, and the stored and derived balances before, in USD cents.
 */
export const recalculationResponse = z.object({
  user_id: z.string(),
  balance_cents: z.int(),
  stored_cents: z.int(),
  derived_cents: z.int(),
  difference_cents: z.int(),
});

/** DELETE /api/admin/wallet/transaction/{id}. */
export const deletedTransactionResponse = z.object({
  ok: z.literal(true),
  user_id: z.string().describe('The user whose balance changed.'),
});

export type WalletTransactionRow = z.output<typeof transactionRow>;

/** Returns a wallet transaction with every field name that clients of the API read. */
export function walletTransactionView(row: WalletTransactionRow): z.output<typeof walletTransactionResponse> {
  const amount = row.amountCents / 100;
  const formatted = formatUsd(row.amountCents);
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

/** Returns the answer of GET /api/wallet and /api/wallet/balance. @param balanceCents integer USD cents */
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

/** A wallet transaction with its user and the kind of transfer; null for a pending top-up. */
export type AdminTransactionRow = WalletTransactionRow & {
  userName: string;
  userEmail: string;
  kind: TransferKind | null;
};

export function adminTransactionView(row: AdminTransactionRow): z.output<typeof adminTransactionResponse> {
  return {
    ...walletTransactionView(row),
    user_name: row.userName,
    user_email: row.userEmail,
    kind: row.kind ?? 'pending',
    undeletable_reason: getDeletionRefusal(row.kind, row),
  };
}

/** Returns the answer of POST /api/admin/wallet/topup. */
export function manualTopupView(topup: ManualTopup): z.output<typeof manualTopupResponse> {
  return {
    id: topup.transferId,
    user_id: topup.userId,
    type: 'credit',
    amount_cents: topup.amountCents,
    amount_formatted: formatUsd(topup.amountCents),
    currency: walletCurrency,
    status: topup.status,
    balance_cents: topup.balanceCents,
  };
}

export type RecalculationView = z.output<typeof recalculationResponse>;

/**
 * Returns the answer of POST /api/admin/wallet/recalc/{userId}: the new balance, and the stored and derived balances
 * before, in USD cents.
 */
export function recalculationView(
  userId: string,
  { storedCents, derivedCents }: { storedCents: number; derivedCents: number },
): RecalculationView {
  return {
    user_id: userId,
    balance_cents: derivedCents,
    stored_cents: storedCents,
    derived_cents: derivedCents,
    difference_cents: derivedCents - storedCents,
  };
}

/** The beginning of the note of a payment for a change (lib/orders/placements/changes). */
const changeNote = 'Paid change ';

/**
 * Returns why an admin cannot delete a wallet transaction of this kind. Manual and paid credits can be reversed by a
 * counter-entry. Other kinds follow from an order or from a refund at the provider; reversing them alone would make the
 * ledger inconsistent with it.
 * @param kind null for a pending top-up
 * @returns the reason for the admin, or null when the transaction can be deleted
 */
export function getDeletionRefusal(
  kind: TransferKind | null,
  { orderId, note }: Pick<WalletTransactionRow, 'orderId' | 'note'>,
): string | null {
  switch (kind) {
    case 'manual_topup':
    case 'topup':
      return null;
    case null:
      return 'This top-up is waiting for its payment: no money has moved yet. It closes automatically if it is not paid.';
    case 'order':
      if (note.startsWith(changeNote))
        return `This paid for a change of order #${orderId}. It returns if the change ends without an approval.`;
      return `This paid for order #${orderId}. To return the money, set the order to Refunded in Orders.`;
    case 'order_refund':
      if (note.startsWith('Refund of the paid change '))
        return `This returned the price of a change of order #${orderId}, which is over.`;
      if (note.startsWith('Partial refund '))
        return `This is a partial refund of order #${orderId} by a settlement, which cannot be reversed.`;
      return `This is the refund of order #${orderId}. To reverse it, change the order’s status in Orders.`;
    case 'order_recharge':
      return `This paid for order #${orderId} again. To return the money, set the order to Refunded in Orders.`;
    case 'tax':
    case 'tax_refund':
      return `This is tax of order #${orderId}, which follows the order’s price. Change the order in Orders.`;
    case 'earning':
    case 'margin':
      return `This divided the payment of order #${orderId} when its delivery was approved. Change the order in Orders.`;
    case 'ripening':
      return `This made a part of the seller’s share of order #${orderId} payable, which is never taken back.`;
    case 'provider_refund':
    case 'dispute':
    case 'dispute_reversal':
    case 'receivable':
      return 'This results from a refund or a dispute at the payment provider, and only the provider can change it.';
    case 'bank_reversal':
      return 'The bank took this transfer back, and only the bank can change it.';
    case 'source_refund':
    case 'source_refund_return':
      return 'This belongs to a refund to the payment method. Its result comes from the payment provider.';
    case 'provider_fee':
    case 'payout':
    case 'payout_failure':
    case 'exchange':
      return 'This is from the payment provider’s statement, and only the provider can change it.';
    case 'seller_payout':
    case 'seller_payout_paid':
    case 'seller_payout_fee':
    case 'seller_payout_return':
      return 'This belongs to the payout of a seller. Change the payout in Payouts.';
    case 'suspense':
    case 'reversal':
      return 'This entry corrects another one and cannot be deleted.';
  }
}
