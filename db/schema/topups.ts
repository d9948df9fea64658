import { bigint, index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
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

/** The intent to add money: what was asked, what the provider was told, what came of it. */
export const topups = pgTable(
  'topups',
  {
    id: idColumn(),
    userId: text()
      .notNull()
      .references(() => users.id),
    provider: text({ enum: paymentProviders }).notNull(),
    mode: text({ enum: providerModes }).notNull(),
    /** What the wallet gets. */
    amountCents: minorUnits().notNull(),
    currency: text().notNull(),
    /** What the provider charges; differs from the wallet's where the provider settles in another currency. */
    chargeAmountMinor: minorUnits().notNull(),
    chargeCurrency: text().notNull(),
    /** Millionths of the wallet's currency for one unit of the charge currency; null where they are the same. */
    rateMicros: bigint({ mode: 'number' }),
    /** The provider's checkout, e.g. a Stripe session id. */
    providerReference: text(),
    /** The payment object that brought the money, e.g. a Stripe payment intent. */
    paymentReference: text(),
    checkoutUrl: text(),
    status: text({ enum: topupStatuses }).notNull().default('created'),
    /** Why it failed or stands in review, for the person who looks into it. */
    reason: text(),
    expiresAt: moment().notNull(),
    paidAt: moment(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('topups_user_idx').on(table.userId, table.createdAt),
    index('topups_status_idx').on(table.status, table.createdAt),
    uniqueIndex('topups_reference_key').on(table.provider, table.mode, table.providerReference),
  ],
);

/** A provider's notification, once for each event id. `processedAt` null: it is processed again when redelivered. */
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
    /** The last failure, if processing failed. */
    error: text(),
  },
  (table) => [uniqueIndex('webhook_events_event_key').on(table.provider, table.mode, table.eventId)],
);
