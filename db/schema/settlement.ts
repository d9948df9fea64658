import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, minorUnits, moment } from '../columns';
import { paymentProviders, providerModes, topups } from './topups';

/**
 * What a line of a provider's statement is. `charge`, `refund` and `dispute` belong to payments, in both directions: a
 * failed refund is a `refund` with a positive amount. `payout` moves money between the provider and the operator's bank,
 * `payout_failure` takes one back. `conversion` changes the currency of money at the provider. `other` is everything
 * else, for example a reserve.
 */
export const settlementTypes = [
  'charge',
  'refund',
  'dispute',
  'fee',
  'payout',
  'payout_failure',
  'conversion',
  'other',
] as const;
export type SettlementType = (typeof settlementTypes)[number];

/** `open`: to be booked, or it differs from the books. `not_ours`: it belongs to no top-up and is not booked. */
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
    /** The type in the provider's words: payment_refund, T0006, 扣除交易手续费. */
    providerType: text().notNull(),
    /** Signed minor units of `currency`: positive increases the balance at the provider. Zero for fees. */
    grossMinor: minorUnits().notNull(),
    /** Positive is a cost, negative a fee that the provider returned. */
    feeMinor: minorUnits().notNull(),
    /** Gross less fee: the change of the balance at the provider. */
    netMinor: minorUnits().notNull(),
    currency: text().notNull(),
    /** The provider's object of the line: pi_…, re_…, du_…, po_…; empty if it names none. */
    source: text().notNull(),
    /** The payment of the line, if it names one. */
    paymentReference: text(),
    /** The top-up that the payment names as its cause. */
    namedTopupId: text(),
    occurredAt: moment().notNull(),
    /** When the money can be paid out, if the provider reports it. */
    availableOn: moment(),
    readAt: createdAt(),
    /** The top-up it was matched with; null for the account's own lines and for those of another shop. */
    topupId: text().references(() => topups.id),
    outcome: text({ enum: settlementOutcomes }).notNull().default('open'),
    /** Why it is open or not booked. */
    reason: text(),
    /** Of a payout: the part that consists of money of another shop; signed as `grossMinor`. */
    passedMinor: minorUnits().notNull().default(0),
    nextCheckAt: moment().defaultNow(),
    checks: integer().notNull().default(0),
  },
  (table) => [
    uniqueIndex('settlement_lines_reference_key').on(table.provider, table.mode, table.reference),
    index('settlement_lines_occurred_idx').on(table.provider, table.mode, table.occurredAt),
    index('settlement_lines_topup_idx').on(table.topupId),
    index('settlement_lines_source_idx').on(table.provider, table.source),
    index('settlement_lines_payment_idx').on(table.provider, table.paymentReference),
    index('settlement_lines_check_idx').on(table.nextCheckAt).where(sql`next_check_at is not null`),
  ],
);

/** How far the statement of a provider was read in a mode. */
export const settlementPositions = pgTable(
  'settlement_positions',
  {
    provider: text({ enum: paymentProviders }).notNull(),
    mode: text({ enum: providerModes }).notNull(),
    /** Where reading began. */
    startedAt: moment().notNull(),
    /** The statement is complete until here. */
    readUntil: moment().notNull(),
    /** The window that is being read, and the provider's cursor in it; null between two windows. */
    windowFrom: moment(),
    windowUntil: moment(),
    cursor: text(),
    /** The earliest transaction in this window that was not final: the next window begins there. */
    readAgainFrom: moment(),
    /** Transfers of the books until here were compared with the statement. */
    ledgerSeenAt: moment().notNull(),
    lastReadAt: moment(),
    /** Why the last reading failed. */
    error: text(),
    /** Another instance reads until then. */
    leaseUntil: moment(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.mode] })],
);
