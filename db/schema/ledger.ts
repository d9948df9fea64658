import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgSchema,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { createdAt, idColumn, minorUnits, timestamptz } from '@/db/columns';

/**
 * The ledger, read-only for the application: only the functions in db/migrations/0001_ledger.sql write it.
 * db/migrations/0001_ledger.sql creates it and the triggers and grants that make the rows immutable.
 */
export const ledger = pgSchema('ledger');

export const accountKinds = [
  'wallet',
  'receivable',
  'revenue',
  'clearing',
  'suspense',
  'reserved',
  'seller_pending',
  'seller_payable',
  'payout_transit',
  'refund_transit',
  'adjustments',
  'bank',
  'fees',
  'exchange',
  'pass_through',
  'tax',
] as const;
export type AccountKind = (typeof accountKinds)[number];

export const ledgerAccounts = ledger.table(
  'accounts',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text({ enum: accountKinds }).notNull(),
    /** A user id for wallets and receivables, a provider for clearing and settlement, a country for tax, otherwise empty. */
    owner: text().notNull().default(''),
    currency: text().notNull(),
    /** Guarded accounts store a balance that is never negative; the balance of others is the sum of their transfers. */
    guarded: boolean().notNull(),
    balanceCents: minorUnits().notNull().default(0),
    version: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [
    unique('accounts_owner_key').on(table.kind, table.owner, table.currency),
    unique('accounts_currency_key').on(table.id, table.currency),
    check('accounts_not_negative', sql`balance_cents >= 0`),
    check('accounts_unguarded_keeps_no_balance', sql`guarded or (balance_cents = 0 and version = 0)`),
  ],
);

export const transferKinds = [
  'topup',
  'order',
  'order_refund',
  'order_recharge',
  'earning',
  'margin',
  'ripening',
  'provider_refund',
  'dispute',
  'dispute_reversal',
  'bank_reversal',
  'manual_topup',
  'suspense',
  'receivable',
  'reversal',
  'provider_fee',
  'payout',
  'payout_failure',
  'exchange',
  'seller_payout',
  'seller_payout_paid',
  'seller_payout_fee',
  'seller_payout_return',
  'source_refund',
  'source_refund_return',
  'tax',
  'tax_refund',
] as const;
export type TransferKind = (typeof transferKinds)[number];

/**
 * The texts of a transfer that searches cover, as the index `transfers_search_idx` holds them. Null for a transfer of an
 * order, which is found by its order: the planner's statistics of the text then describe the others alone.
 */
export const transferSearchText = sql`(case when transfers.order_id is null then lower(transfers.method || E'\\n' || transfers.note) end)`;

/**
 * The condition for transfers by a person that the approval limit counts, refunds with their tax; the index
 * `transfers_limit_idx` has it. The top-ups are those of bank statements, which a person uploads.
 */
export const isLimitedTransfer = sql`(kind in ('manual_topup', 'order_refund', 'tax_refund') or kind = 'topup' and starts_with(key, 'bank:')) and actor_id is not null`;

/** The condition for what wallets pay for orders, with tax; the index `transfers_charges_idx` has it. */
export const isCharge = sql`kind in ('order', 'order_recharge', 'tax')`;
/** The condition for transfers into a seller's account; the index `transfers_earned_idx` has it. */
export const isEarned = sql`kind = 'earning'`;
/** The condition for transfers from a seller's account of earnings; the index `transfers_earnings_out_idx` has it. */
export const isEarningOut = sql`kind in ('earning', 'ripening') and from_version is not null`;
/** The condition for transfers into a seller's payable account; the index `transfers_payable_in_idx` has it. */
export const isPayableIn = sql`kind in ('ripening', 'seller_payout_return')`;
/** The condition for transfers from a seller's payable account; the index `transfers_payable_out_idx` has it. */
export const isPayableOut = sql`kind = 'seller_payout'`;
/** The condition for refunds of a part of an order's price; the index `transfers_partial_refunds_idx` has it. */
export const isPartialRefund = sql`kind = 'order_refund' and starts_with(note, 'Partial refund ')`;

export const transfers = ledger.table(
  'transfers',
  {
    id: idColumn(),
    /** Names the payment object or order that the money moved for. A second post with the same key returns the first. */
    key: text().notNull(),
    kind: text({ enum: transferKinds }).notNull(),
    fromAccount: bigint({ mode: 'number' }).notNull(),
    toAccount: bigint({ mode: 'number' }).notNull(),
    amountCents: minorUnits().notNull(),
    currency: text().notNull(),
    /** Version and balance of a guarded account after this transfer; null for an account that is not guarded. */
    fromVersion: integer(),
    fromBalanceCents: minorUnits(),
    toVersion: integer(),
    toBalanceCents: minorUnits(),
    /** The transfer that this one reverses; each is reversed at most once. */
    reversesId: text(),
    orderId: integer(),
    actorId: text(),
    method: text().notNull().default(''),
    note: text().notNull().default(''),
    meta: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    effectiveAt: timestamptz().notNull().defaultNow(),
    createdAt: createdAt(),
    /**
     * The order of the inserts. A transaction with a lower position may commit later than one with a higher position:
     * lib/ledger/roll-up.ts waits for it.
     */
    position: bigint({ mode: 'number' }).notNull().generatedByDefaultAsIdentity(),
  },
  (table) => [
    unique('transfers_key_key').on(table.key),
    foreignKey({
      name: 'transfers_from_fk',
      columns: [table.fromAccount, table.currency],
      foreignColumns: [ledgerAccounts.id, ledgerAccounts.currency],
    }),
    foreignKey({
      name: 'transfers_to_fk',
      columns: [table.toAccount, table.currency],
      foreignColumns: [ledgerAccounts.id, ledgerAccounts.currency],
    }),
    foreignKey({
      name: 'transfers_reverses_fk',
      columns: [table.reversesId],
      foreignColumns: [table.id as AnyPgColumn],
    }),
    // Few transfers reverse another one.
    uniqueIndex('transfers_reverses_key').on(table.reversesId).where(sql`reverses_id is not null`),
    check('transfers_amount_positive', sql`amount_cents > 0`),
    check('transfers_two_sides', sql`from_account <> to_account`),
    // The transactions of a wallet, newest first.
    index('transfers_by_from_idx').on(table.fromAccount, table.id),
    index('transfers_by_to_idx').on(table.toAccount, table.id),
    index('transfers_other_debits_idx').on(table.fromAccount, table.id).where(sql`order_id is null`),
    index('transfers_order_idx').on(table.orderId).where(sql`order_id is not null`),
    index('transfers_topup_idx').on(sql`(meta ->> 'topupId')`).where(sql`meta ->> 'topupId' is not null`),
    uniqueIndex('transfers_position_key').on(table.position),
    index('transfers_line_idx').on(sql`(meta ->> 'settlementLine')`).where(sql`meta ->> 'settlementLine' is not null`),
    // Searches (lib/wallet/transaction-search.ts). A trigram index over the notes of orders would slow every order
    // down by a third; their texts are found through `orders_search_idx`.
    index('transfers_search_idx').using('gin', sql`(${transferSearchText}) gin_trgm_ops`).where(sql`order_id is null`),
    index('transfers_amount_idx').on(table.amountCents, table.id),
    index('transfers_id_end_idx').on(sql`right(id, 8)`),
    // Counts against the limit of one person (lib/approvals/limit.ts).
    index('transfers_limit_idx').on(table.actorId, table.createdAt).where(isLimitedTransfer),
    index('transfers_refunds_idx')
      .on(table.kind, table.id)
      .where(sql`kind in ('order_refund', 'order_recharge', 'tax', 'tax_refund')`),
    // What an account spent in a month (lib/orders/spending/facts.ts).
    index('transfers_charges_idx').on(table.fromAccount, table.createdAt).where(isCharge),
    // The statements of a seller (lib/earnings/accounts.ts): each account's entries in the order of its versions.
    index('transfers_earned_idx').on(table.toAccount, table.toVersion).where(isEarned),
    index('transfers_earnings_out_idx').on(table.fromAccount, table.fromVersion).where(isEarningOut),
    index('transfers_payable_in_idx').on(table.toAccount, table.toVersion).where(isPayableIn),
    index('transfers_payable_out_idx').on(table.fromAccount, table.fromVersion).where(isPayableOut),
    index('transfers_partial_refunds_idx').on(table.id).where(isPartialRefund),
    index('transfers_time_idx').using('brin', table.createdAt).with({ autosummarize: true }),
  ],
);
