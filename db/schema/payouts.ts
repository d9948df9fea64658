import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, minorUnits, timestamptz, updatedAt, version } from '@/db/columns';
import { users } from './users';

export const payoutMethodKinds = ['bank', 'paypal', 'agreement'] as const;
export type PayoutMethodKind = (typeof payoutMethodKinds)[number];

export const payoutSchedules = ['manual', 'weekly', 'monthly'] as const;
export type PayoutSchedule = (typeof payoutSchedules)[number];

/** The settings of a seller's payouts. Requests of a seller lock this row, so that they run one after another. */
export const payoutProfiles = pgTable(
  'payout_profiles',
  {
    sellerId: text()
      .primaryKey()
      .references(() => users.id),
    /** When payouts are requested automatically. */
    schedule: text({ enum: payoutSchedules }).notNull().default('manual'),
    /** The time of the next automatic request; null if payouts are requested manually. */
    nextRequestAt: timestamptz(),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('payout_profiles_next_request_idx').on(table.nextRequestAt).where(sql`next_request_at is not null`),
  ],
);

/**
 * Where the money of a seller goes. A change inserts a new row and replaces the last one, so a payout keeps the details
 * that it was requested with.
 */
export const payoutMethods = pgTable(
  'payout_methods',
  {
    id: idColumn(),
    sellerId: text()
      .notNull()
      .references(() => users.id),
    kind: text({ enum: payoutMethodKinds }).notNull(),
    /** The details as JSON, encrypted with SECRET_KEYS and bound to the row (lib/payouts/methods/contract.ts). */
    sealedDetails: text().notNull(),
    /** The last four characters of the account number or address; empty for an agreement. */
    lastFour: text().notNull().default(''),
    /** Money is sent only after this time: the owner of the account has time to notice a change by another person. */
    usableAt: timestamptz().notNull(),
    /** When a newer method replaced it or the seller removed it; null for the current one. */
    replacedAt: timestamptz(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('payout_methods_current_key').on(table.sellerId).where(sql`replaced_at is null`),
    index('payout_methods_seller_idx').on(table.sellerId, table.id),
  ],
);

export const payoutBatchKinds = ['pain.001', 'csv', 'paypal'] as const;
export type PayoutBatchKind = (typeof payoutBatchKinds)[number];

/** Payouts that were sent together: a bank file, or a batch of a provider's API. */
export const payoutBatches = pgTable(
  'payout_batches',
  {
    id: idColumn(),
    kind: text({ enum: payoutBatchKinds }).notNull(),
    /** `sandbox` or `live` for a provider's batch, empty for a bank file. */
    mode: text().notNull().default(''),
    /**
     * The payer's name and account at the time of the file (lib/payouts/rules.ts); for PayPal `{clientId}`, the app that
     * sends the batch.
     */
    payer: jsonb().$type<unknown>(),
    /** The day on which the bank executes the file, as YYYY-MM-DD; empty for a provider's batch. */
    executionDate: text().notNull().default(''),
    payoutCount: integer().notNull(),
    /** The sum of what sellers receive, in USD cents. */
    totalCents: minorUnits().notNull(),
    /** The provider's id of the batch; null until its first answer. */
    providerReference: text(),
    /** When the job sends or reads the batch next; null when nothing is left to do. */
    nextActionAt: timestamptz(),
    attempts: integer().notNull().default(0),
    /** How often payouts that the provider rejected were left out. Part of the id that the provider gets. */
    revision: integer().notNull().default(0),
    /** A request to create the batch got no answer, so the provider may have accepted it. */
    isUncertain: boolean().notNull().default(false),
    /** The error of the last attempt, for staff. */
    error: text().notNull().default(''),
    /** Null for a batch of the job. */
    createdBy: text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('payout_batches_next_action_idx').on(table.nextActionAt).where(sql`next_action_at is not null`),
    uniqueIndex('payout_batches_reference_key').on(table.kind, table.mode, table.providerReference),
  ],
);

export const payoutStates = ['requested', 'approved', 'sent', 'paid', 'failed', 'returned', 'withdrawn'] as const;
export type PayoutState = (typeof payoutStates)[number];

/** The states in which the bank or PayPal may have executed a payout, so one person alone cannot undo it. */
export const returnableStates = ['sent', 'paid'] as const satisfies readonly PayoutState[];

/** The condition for payouts that wait for staff; a seller has at most one of them. */
export const isOpenPayout = sql`state in ('requested', 'approved')`;

/**
 * Payouts to sellers. The amount leaves the seller's payable account with the request and is in `payout_transit` until the
 * payout is paid, failed or withdrawn (lib/payouts/postings.ts).
 */
export const payouts = pgTable(
  'payouts',
  {
    id: idColumn(),
    sellerId: text()
      .notNull()
      .references(() => users.id),
    methodId: text()
      .notNull()
      .references(() => payoutMethods.id),
    /** A copy of the method's kind, which decides how the payout is sent. */
    methodKind: text({ enum: payoutMethodKinds }).notNull(),
    state: text({ enum: payoutStates }).notNull().default('requested'),
    /** What leaves the seller's balance, in USD cents, including the fee. */
    amountCents: minorUnits().notNull(),
    feeCents: minorUnits().notNull(),
    isScheduled: boolean().notNull().default(false),
    /** The caller's Idempotency-Key and the hash of its request; null without one. */
    idempotencyKey: text(),
    requestHash: text(),
    /** The first approval of two, which an amount above the limit needs; null before. */
    firstApprovedBy: text(),
    firstApprovedAt: timestamptz(),
    approvedBy: text(),
    approvedAt: timestamptz(),
    batchId: text().references(() => payoutBatches.id),
    /** The provider's id of the payout within its batch. */
    providerReference: text(),
    /** The provider's state of the payout, such as UNCLAIMED; empty before its first answer and without a provider. */
    providerStatus: text().notNull().default(''),
    /** The provider's transaction that paid it, by which its statement is matched. */
    providerTransactionId: text(),
    /** The provider's fee, in USD cents, which the books have once the payout was paid or returned. */
    providerFeeCents: minorUnits().notNull().default(0),
    /** The reference of the payment, for the seller: entered by staff, of the statement or of the provider. */
    reference: text().notNull().default(''),
    /** Why it failed, was returned or was declined. */
    reason: text().notNull().default(''),
    sentAt: timestamptz(),
    paidAt: timestamptz(),
    /** When it reached `failed`, `returned` or `withdrawn`. */
    endedAt: timestamptz(),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('payouts_open_key').on(table.sellerId).where(isOpenPayout),
    uniqueIndex('payouts_idempotency_key').on(table.sellerId, table.idempotencyKey),
    index('payouts_seller_idx').on(table.sellerId, table.id),
    index('payouts_state_idx').on(table.state, table.id),
    // The last payments of a seller, with which a payout is compared, from the index alone.
    index('payouts_paid_idx').on(table.sellerId, table.id, table.amountCents).where(sql`state = 'paid'`),
    // The numbers of a batch by state, from the index alone.
    index('payouts_batch_idx').on(table.batchId, table.state).where(sql`batch_id is not null`),
    uniqueIndex('payouts_provider_reference_key').on(table.methodKind, table.providerReference),
    index('payouts_transaction_idx').on(table.providerTransactionId).where(sql`provider_transaction_id is not null`),
    index('payouts_updated_idx').using('brin', table.updatedAt).with({ autosummarize: true }),
    check('payouts_amount_above_fee', sql`fee_cents >= 0 and amount_cents > fee_cents`),
  ],
);
