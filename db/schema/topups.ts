import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, minorUnits, moment, updatedAt } from '../columns';
import { users } from './users';

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
    userId: text()
      .notNull()
      .references(() => users.id),
    provider: text({ enum: paymentProviders }).notNull(),
    mode: text({ enum: providerModes }).notNull(),
    /** The amount credited to the wallet. */
    amountCents: minorUnits().notNull(),
    currency: text().notNull(),
    /** The amount charged by the provider; differs from the credit if the provider charges in another currency. */
    chargeAmountMinor: minorUnits().notNull(),
    chargeCurrency: text().notNull(),
    /** Millionths of the wallet's currency for one unit of the charge currency; null where they are the same. */
    rateMicros: bigint({ mode: 'number' }),
    /** The provider's checkout, e.g. a Stripe session id. */
    providerReference: text(),
    /** The payment object of the money, e.g. a Stripe payment intent. */
    paymentReference: text(),
    /** Where the buyer pays: the provider's page, or ours with the code. */
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
    expiresAt: moment().notNull(),
    paidAt: moment(),
    /** When the reconcile job asks the provider next, and how often it has; see lib/payments/top-ups/reconcile.ts. */
    nextCheckAt: moment(),
    checks: integer().notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('topups_user_idx').on(table.userId, table.createdAt),
    index('topups_status_idx').on(table.status, table.createdAt),
    index('topups_next_check_idx').on(table.nextCheckAt).where(sql`next_check_at is not null`),
    uniqueIndex('topups_reference_key').on(table.provider, table.mode, table.providerReference),
    uniqueIndex('topups_idempotency_key').on(table.userId, table.idempotencyKey),
  ],
);

export const reversalKinds = ['refund', 'dispute'] as const;
export const reversalMoney = ['kept', 'taken', 'returned'] as const;
export const disputeOutcomes = ['won', 'lost'] as const;

/**
 * A refund or dispute at the provider: money of a top-up that it took back, or may. One row for each of the
 * provider's objects; `money` and `outcome` only ever move forward, so that notifications may come in any order.
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
    /** The payment it is about: a top-up may have been paid more than once, and each payment stands for itself. */
    paymentReference: text().notNull(),
    /** The provider's refund or dispute, e.g. re_… or dp_…. */
    reference: text().notNull(),
    /** What it is about at the provider, in minor units of `currency`. */
    amountMinor: minorUnits().notNull(),
    currency: text().notNull(),
    /** What was taken from the wallet, or is owed for it; 0 while nothing was. */
    amountCents: minorUnits().notNull().default(0),
    /** What was taken from suspense, in minor units of `currency`: it did not match, or goes beyond the payment. */
    excessMinor: minorUnits().notNull().default(0),
    /** kept: nothing moved yet; returned: taken and given back, or failed before it was taken. */
    money: text({ enum: reversalMoney }).notNull().default('kept'),
    /** How a dispute ended; null while it is open, and for refunds. */
    outcome: text({ enum: disputeOutcomes }),
    /** Of a dispute: the provider's word for why, and until when it takes evidence. Null where it says none. */
    reason: text(),
    evidenceDueBy: moment(),
    /** By the provider's clock, where it says: when the money was taken; of a dispute that took none, when it ended. */
    happenedAt: moment(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('payment_reversals_topup_idx').on(table.topupId),
    index('payment_reversals_disputes_idx').on(table.createdAt).where(sql`kind = 'dispute'`),
    uniqueIndex('payment_reversals_reference_key').on(table.provider, table.mode, table.kind, table.reference),
  ],
);

/**
 * Up to when a provider's own list of events was read (lib/payments/webhooks/catch-up.ts). No row: it has no top-ups yet, or was
 * never read.
 */
export const eventPositions = pgTable(
  'event_positions',
  {
    provider: text({ enum: paymentProviders }).notNull(),
    mode: text({ enum: providerModes }).notNull(),
    /** Every event that the provider listed as created before this moment is stored; null before the first reading. */
    coveredUntil: moment(),
    /** When the list was last read to its end. */
    checkedAt: moment(),
    /** Why the last reading failed; null when it did not. */
    error: text(),
    failedAt: moment(),
    updatedAt: updatedAt(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.mode] })],
);

/** A provider's notification, once for each event id. `processedAt` null: it is processed again; see retryAt. */
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
    processedAt: moment(),
    /** When it is tried again without the provider sending it; null once processed or given up (retry-notifications.ts). */
    retryAt: moment().default(sql`now() + interval '2 minutes'`),
    retries: integer().notNull().default(0),
    /** The last failure, if processing failed. */
    error: text(),
  },
  (table) => [
    uniqueIndex('webhook_events_event_key').on(table.provider, table.mode, table.eventId),
    // What an admin has to look at, among all that there ever was.
    index('webhook_events_retry_idx').on(table.retryAt).where(sql`retry_at is not null`),
    index('webhook_events_stuck_idx').on(table.provider, table.mode).where(sql`processed_at is null`),
  ],
);
