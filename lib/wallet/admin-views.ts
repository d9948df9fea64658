import type { z } from 'zod';
import type { TransferKind } from '../../db/schema/ledger';
import { formatMoney, walletCurrency } from '../money';
import type { adminTransactionAnswer, manualTopupAnswer, recalculationAnswer } from './answers';
import { refusalToDelete } from './deletable';
import type { ManualTopup } from './manual-topup';
import { type WalletTransactionRow, walletTransactionView } from './views';

/** A wallet transaction with whose it is and what kind of transfer made it; null for a pending top-up. */
export type AdminTransactionRow = WalletTransactionRow & {
  userName: string;
  userEmail: string;
  kind: TransferKind | null;
};

/** The contract's wallet transaction as an admin sees it. */
export type AdminTransactionView = z.output<typeof adminTransactionAnswer>;

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
export function manualTopupView({
  transferId,
  status,
  userId,
  amountCents,
  balanceCents,
}: ManualTopup): z.output<typeof manualTopupAnswer> {
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

export type RecalculationView = z.output<typeof recalculationAnswer>;

/** POST /api/admin/wallet/recalc/{userId}: the balance as it now stands, and what was wrong with it, in USD cents. */
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
