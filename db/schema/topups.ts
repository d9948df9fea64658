import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, minorUnits, timestamptz, updatedAt } from '@/db/columns';
import { accounts } from './accounts';

export const paymentProviders = ['stripe', 'paypal', 'wechat'] as const;
export type PaymentProviderName = (typeof paymentProviders)[number];
export const providerModes = ['live', 'test', 'sandbox'] as const;
export type ProviderMode = (typeof providerModes)[number];
export const topupStatuses = [
  'created',
  'pending',
  'paid',
  'failed',
  'expired',
  'cancelled',
  'review',
  'refunded',
  'disputed',
] as const;
export type TopupStatus = (typeof topupStatuses)[number];

/** The intent to add money: the request, the provider's checkout, and the result. */
export const topups = pgTable(
  'topups',
  {
    id: idColumn(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    provider: text({ enum: paymentProviders }).notNull(),
    mode: text({ enum: providerModes }).notNull(),
    /** The amount credited to the wallet. */
    amountCents: minorUnits().notNull(),
    currency: text().notNull(),
    /** The amount charged by the provider; differs from the credit if the provider charges in another currency. */
    chargeAmountMinor: minorUnits().notNull(),
    chargeCurrency: text().notNull(),
    /** The exchange rate: millionths of the wallet's currency per unit of the charge currency; null if they are equal. */
    rateMicros: bigint({ mode: 'number' }),
    /** The provider's checkout object, e.g. a Stripe session id. */
    providerReference: text(),
    /** The payment object of the money, e.g. a Stripe payment intent. */
    paymentReference: text(),
    /** The URL of the payment page: the provider's page, or our page with the QR code. */
    checkoutUrl: text(),
    /** The content of the QR code for the provider's app. */
    payCode: text(),
    status: text({ enum: topupStatuses }).notNull().default('created'),
    /** The caller's Idempotency-Key, or null without one. */
    idempotencyKey: text(),
    /** SHA-256 of the request: the same key with another request is refused. */
    requestHash: text(),
    /** Why it failed or is in review, for the admin who examines it. */
    reason: text(),
    expiresAt: timestamptz().notNull(),
    paidAt: timestamptz(),
    /** When the reconcile job checks next, and the number of checks; see lib/payments/top-ups/reconcile.ts. */
    nextCheckAt: timestamptz(),
    checks: integer().notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('topups_account_idx').on(table.accountId, table.createdAt),
    index('topups_status_idx').on(table.status, table.createdAt),
    index('topups_updated_idx').on(table.updatedAt),
    // Pending top-ups are few: they expire.
    index('topups_pending_idx').on(table.id).where(sql`status = 'pending'`),
    index('topups_pending_account_idx').on(table.accountId, table.id).where(sql`status = 'pending'`),
    index('topups_next_check_idx').on(table.nextCheckAt).where(sql`next_check_at is not null`),
    index('topups_provider_idx').on(table.provider, table.mode, table.createdAt),
    index('topups_payment_idx').on(table.paymentReference).where(sql`payment_reference is not null`),
    uniqueIndex('topups_reference_key').on(table.provider, table.mode, table.providerReference),
    uniqueIndex('topups_idempotency_key').on(table.accountId, table.idempotencyKey),
  ],
);

export const reversalKinds = ['refund', 'dispute'] as const;
export const reversalMoney = ['kept', 'taken', 'returned'] as const;
export const disputeOutcomes = ['won', 'lost'] as const;

/**
 * Refunds and disputes at the provider, which take back money of a top-up. One row for each of the provider's objects.
 * `money` and `outcome` only move forward, so that webhook events may arrive in any order.
 */
export const paymentReversals = pgTable(
  'payment_reversals',
  {
    id: idColumn(),
    topupId: text()
      .notNull()
      .references(() => topups.id),
    provider: text({ enum: paymentProviders }).notNull(),
    mode: text({ enum: providerModes }).notNull(),
    kind: text({ enum: reversalKinds }).notNull(),
    /** The payment. A top-up may have several payments, which are reversed independently. */
    paymentReference: text().notNull(),
    /** The provider's refund or dispute id, e.g. re_… or dp_…. */
    reference: text().notNull(),
    /** The amount at the provider, in minor units of `currency`. */
    amountMinor: minorUnits().notNull(),
    currency: text().notNull(),
    /** The amount debited from the wallet or owed by its owner; 0 if nothing moved. */
    amountCents: minorUnits().notNull().default(0),
    /** The amount debited from suspense, in minor units of `currency`: unmatched or in excess of the payment. */
    excessMinor: minorUnits().notNull().default(0),
    /** kept: nothing moved yet; returned: taken and returned, or failed before it was taken. */
    money: text({ enum: reversalMoney }).notNull().default('kept'),
    /** The result of a dispute; null while it is open, and for refunds. */
    outcome: text({ enum: disputeOutcomes }),
    /** For a dispute: the provider's reason and the deadline for evidence, if known. */
    reason: text(),
    evidenceDueBy: timestamptz(),
    /** The provider's time, if known: when the money was taken, or when a dispute that took none was closed. */
    happenedAt: timestamptz(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('payment_reversals_topup_idx').on(table.topupId),
    // Statements name a reversal or its payment (lib/payments/settlement/settle-statements.ts).
    index('payment_reversals_reference_idx').on(table.reference),
    index('payment_reversals_payment_idx').on(table.paymentReference),
    index('payment_reversals_updated_idx').on(table.updatedAt),
    index('payment_reversals_disputes_idx').on(table.createdAt).where(sql`kind = 'dispute'`),
    uniqueIndex('payment_reversals_reference_key').on(table.provider, table.mode, table.kind, table.reference),
  ],
);

/**
 * The reading position in a provider's list of events (lib/payments/webhooks/catch-up.ts). No row: the provider has no
 * top-ups, or the list was never read.
 */
export const eventPositions = pgTable(
  'event_positions',
  {
    provider: text({ enum: paymentProviders }).notNull(),
    mode: text({ enum: providerModes }).notNull(),
    /** All listed events created before this time are stored; null before the first read. */
    coveredUntil: timestamptz(),
    /** When the list was last read completely. */
    checkedAt: timestamptz(),
    /** The error of the last read; null after a success. */
    error: text(),
    failedAt: timestamptz(),
    updatedAt: updatedAt(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.mode] })],
);

/** Webhook events of the providers, one row per event id. An event without `processedAt` is retried; see `retryAt`. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    id: idColumn(),
    provider: text({ enum: paymentProviders }).notNull(),
    mode: text({ enum: providerModes }).notNull(),
    eventId: text().notNull(),
    type: text().notNull(),
    payload: jsonb().$type<unknown>().notNull(),
    receivedAt: createdAt(),
    processedAt: timestamptz(),
    /** When processing is retried; null once it succeeded or retries are exhausted (retry-notifications.ts). */
    retryAt: timestamptz().default(sql`now() + interval '2 minutes'`),
    retries: integer().notNull().default(0),
    /** The last error of processing. */
    error: text(),
  },
  (table) => [
    uniqueIndex('webhook_events_event_key').on(table.provider, table.mode, table.eventId),
    // Partial, because few events are unprocessed.
    index('webhook_events_retry_idx').on(table.retryAt).where(sql`retry_at is not null`),
    index('webhook_events_stuck_idx').on(table.provider, table.mode).where(sql`processed_at is null`),
    index('webhook_events_processed_idx').on(table.processedAt).where(sql`processed_at is not null`),
  ],
);
