import type { TransferKind } from '../../db/schema/ledger';
import { formatMoney, walletCurrency } from '../money';
import { refusalToDelete } from './deletable';
import type { ManualTopup } from './manual-topup';
import { type WalletTransactionRow, type WalletTransactionView, walletTransactionView } from './views';

/** A wallet transaction with whose it is and what kind of transfer made it; null for a pending top-up. */
export type AdminTransactionRow = WalletTransactionRow & {
  userName: string;
  userEmail: string;
  kind: TransferKind | null;
};

/** The contract's wallet transaction as an admin sees it. */
export type AdminTransactionView = WalletTransactionView & {
  user_name: string;
  user_email: string;
  kind: TransferKind | 'pending';
  /** Why it cannot be deleted, or null when it can (as long as the money is not spent). */
  undeletable_reason: string | null;
};

export function adminTransactionView(row: AdminTransactionRow): AdminTransactionView {
  return {
    ...walletTransactionView(row),
    user_name: row.userName,
    user_email: row.userEmail,
    kind: row.kind ?? 'pending',
    undeletable_reason: refusalToDelete(row.kind, row.orderId),
  };
}

/** POST /api/admin/wallet/topup. */
export function manualTopupView({ transferId, userId, amountCents, balanceCents }: ManualTopup) {
  return {
    id: transferId,
    user_id: userId,
    type: 'credit' as const,
    amount_cents: amountCents,
    amount_formatted: formatMoney(amountCents, walletCurrency),
    currency: walletCurrency,
    status: 'Completed' as const,
    balance_cents: balanceCents,
  };
}

/** POST /api/admin/wallet/recalc/{userId}: the balance as it now stands, and what was wrong with it, in USD cents. */
export function recalculationView(
  userId: string,
  { storedCents, derivedCents }: { storedCents: number; derivedCents: number },
) {
  return {
    user_id: userId,
    balance_cents: derivedCents,
    stored_cents: storedCents,
    derived_cents: derivedCents,
    difference_cents: derivedCents - storedCents,
  };
}
