import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, minorUnits, timestamptz } from '@/db/columns';
import { paymentProviders, providerModes, topups } from './topups';

/**
 * Types of statement lines. `charge`, `refund` and `dispute` belong to payments and may have either sign: a failed refund
 * is a `refund` with a positive amount. `payout` moves money between the provider and the operator's bank,
 * `payout_failure` returns it. `conversion` changes the currency of money at the provider. `seller_payout`,
 * `seller_payout_return` and `seller_payout_fee` belong to payouts to sellers. `other` is everything else, for example a
 * reserve.
 */
export const settlementTypes = [
  'charge',
  'refund',
  'dispute',
  'fee',
  'payout',
  'payout_failure',
  'conversion',
  'seller_payout',
  'seller_payout_return',
  'seller_payout_fee',
  'other',
] as const;
export type SettlementType = (typeof settlementTypes)[number];

/** `open`: not yet booked, or different from the ledger. `not_ours`: belongs to no top-up and is not booked. */
export const settlementOutcomes = ['open', 'booked', 'not_ours'] as const;
export type SettlementOutcome = (typeof settlementOutcomes)[number];

/**
 * Lines of the providers' statements, each stored once. A trigger (db/migrations/0002_custom.sql) refuses changes of the
 * provider's facts; the columns from `topupId` on store the result of the matching.
 */
export const settlementLines = pgTable(
  'settlement_lines',
  {
    id: idColumn(),
    provider: text({ enum: paymentProviders }).notNull(),
    mode: text({ enum: providerModes }).notNull(),
    /** The provider's id of the line: txn_…, a PayPal transaction, a WeChat Pay fund flow number. */
    reference: text().notNull(),
    type: text({ enum: settlementTypes }).notNull(),
    /** The provider's type: payment_refund, T0006, 扣除交易手续费. */
    providerType: text().notNull(),
    /** Signed minor units of `currency`: positive increases the balance at the provider. Zero for fees. */
    grossMinor: minorUnits().notNull(),
    /** Positive is a cost, negative a fee returned by the provider. */
    feeMinor: minorUnits().notNull(),
    /** Gross minus fee: the change of the balance at the provider. */
    netMinor: minorUnits().notNull(),
    currency: text().notNull(),
    /** The provider's object of the line: pi_…, re_…, du_…, po_…; empty if it names none. */
    source: text().notNull(),
    /** The payment of the line, if it names one. */
    paymentReference: text(),
    /** The top-up in the payment's metadata. */
    namedTopupId: text(),
    occurredAt: timestamptz().notNull(),
    /** When the money can be paid out, if the provider reports it. */
    availableOn: timestamptz(),
    readAt: createdAt(),
    /** The matched top-up; null for account-level lines and lines of another shop. */
    topupId: text().references(() => topups.id),
    outcome: text({ enum: settlementOutcomes }).notNull().default('open'),
    /** Why the line is open or not booked. */
    reason: text(),
    /** For a payout: the part that belongs to another shop; signed as `grossMinor`. */
    passedMinor: minorUnits().notNull().default(0),
    nextCheckAt: timestamptz().defaultNow(),
    checks: integer().notNull().default(0),
  },
  (table) => [
    uniqueIndex('settlement_lines_reference_key').on(table.provider, table.mode, table.reference),
    index('settlement_lines_occurred_idx').on(table.provider, table.mode, table.occurredAt),
    // The lines of staff, newest first: all, and the few that are not booked.
    index('settlement_lines_newest_idx').on(table.occurredAt, table.id),
    index('settlement_lines_unbooked_idx')
      .on(table.outcome, table.occurredAt, table.id)
      .where(sql`outcome <> 'booked'`),
    index('settlement_lines_read_idx').on(table.readAt),
    index('settlement_lines_topup_idx').on(table.topupId),
    index('settlement_lines_source_idx').on(table.provider, table.source),
    index('settlement_lines_payment_idx').on(table.provider, table.paymentReference),
    index('settlement_lines_check_idx').on(table.nextCheckAt).where(sql`next_check_at is not null`),
  ],
);

/** The reading position in the statement of a provider and mode. */
export const settlementPositions = pgTable(
  'settlement_positions',
  {
    provider: text({ enum: paymentProviders }).notNull(),
    mode: text({ enum: providerModes }).notNull(),
    /** The start of the statement. */
    startedAt: timestamptz().notNull(),
    /** The statement is complete up to this time. */
    readUntil: timestamptz().notNull(),
    /** The window being read and the provider's cursor in it; null between windows. */
    windowFrom: timestamptz(),
    windowUntil: timestamptz(),
    cursor: text(),
    /** The earliest transaction of this window that was not final; the start of the next window. */
    readAgainFrom: timestamptz(),
    /** Ledger transfers up to this time are reconciled with the statement. */
    ledgerSeenAt: timestamptz().notNull(),
    lastReadAt: timestamptz(),
    /** The error of the last read. */
    error: text(),
    /** The end of the lease of the instance that is reading. */
    leaseUntil: timestamptz(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.mode] })],
);
