import { z } from 'zod';
import { transferKinds } from '@/db/schema/ledger';
import { walletCurrency } from '@/lib/money';

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
