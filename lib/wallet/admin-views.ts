import type { z } from 'zod';
import type { TransferKind } from '@/db/schema/ledger';
import { formatMoney, walletCurrency } from '@/lib/money';
import type { ManualTopup } from './manual-topup';
import type { adminTransactionResponse, manualTopupResponse, recalculationResponse } from './responses';
import { type WalletTransactionRow, walletTransactionView } from './views';

/** A wallet transaction with its user and the kind of transfer; null for a pending top-up. */
export type AdminTransactionRow = WalletTransactionRow & {
  userName: string;
  userEmail: string;
  kind: TransferKind | null;
};

/** The API's wallet transaction for admins. */
export type AdminTransactionView = z.output<typeof adminTransactionResponse>;

export function adminTransactionView(row: AdminTransactionRow): AdminTransactionView {
  return {
    ...walletTransactionView(row),
    user_name: row.userName,
    user_email: row.userEmail,
    kind: row.kind ?? 'pending',
    undeletable_reason: getDeletionRefusal(row.kind, row),
  };
}

/** POST /api/admin/wallet/topup. */
export function manualTopupView({
  transferId,
  status,
  userId,
  amountCents,
  balanceCents,
}: ManualTopup): z.output<typeof manualTopupResponse> {
  return {
    id: transferId,
    user_id: userId,
    type: 'credit',
    amount_cents: amountCents,
    amount_formatted: formatMoney(amountCents, walletCurrency),
    currency: walletCurrency,
    status,
    balance_cents: balanceCents,
  };
}

export type RecalculationView = z.output<typeof recalculationResponse>;

/**
 * POST /api/admin/wallet/recalc/{userId}: the new balance, and the stored and derived balances before, in USD cents.
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
      return `This paid for order #${orderId}. To return the money, set the order to Refunded in Orders.`;
    case 'order_refund':
      if (note.startsWith('Partial refund '))
        return `This is a partial refund of order #${orderId} by a settlement, which cannot be reversed.`;
      return `This is the refund of order #${orderId}. To reverse it, change the order’s status in Orders.`;
    case 'order_recharge':
      return `This paid for order #${orderId} again. To return the money, set the order to Refunded in Orders.`;
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
