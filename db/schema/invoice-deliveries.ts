import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, timestamptz, updatedAt, version } from '@/db/columns';
import { deliveryChannels, invoiceDeliveryStates } from '@/db/enums';
import { invoices } from './invoices';

/** The operator's provider of each channel: an access point of Peppol, or a service that converts to FA(3) for KSeF. */
export const deliveryProviders = pgTable(
  'delivery_providers',
  {
    channel: text({ enum: deliveryChannels }).primaryKey(),
    isOn: boolean().notNull(),
    /** An https address without a query; documents are posted to it. */
    url: text().notNull(),
    /** The bearer token, encrypted with SECRET_KEYS and bound to the channel (lib/invoices/delivery/providers.ts). */
    sealedKey: text().notNull(),
    /** The last four characters of the key. */
    lastFour: text().notNull(),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [check('delivery_providers_url', sql`${table.url} like 'https://%'`)],
);

/**
 * The outbox of structured invoices: one delivery for each document and channel, created when the document is issued. A
 * document that the provider rejected may get another one.
 */
export const invoiceDeliveries = pgTable(
  'invoice_deliveries',
  {
    /** The provider gets it as Idempotency-Key. */
    id: idColumn(),
    invoiceId: text()
      .notNull()
      .references(() => invoices.id),
    channel: text({ enum: deliveryChannels }).notNull(),
    state: text({ enum: invoiceDeliveryStates }).notNull().default('waiting'),
    /** The attempts in the current state: to send the document, or to read what became of it. */
    attempts: integer().notNull().default(0),
    /** When it is sent, or its state is read; null when nothing is left to do. */
    nextAttemptAt: timestamptz().defaultNow(),
    /** No attempt follows after this time. */
    giveUpAt: timestamptz().notNull(),
    /** The provider's id of the document; null before it accepted it, and if it gave none. */
    providerId: text(),
    /** The host that gave `providerId`. Another provider has other documents under such an id, so it is not asked. */
    providerHost: text(),
    /** Why the last attempt failed, the document was rejected, or which fields are missing; empty after a success. */
    lastError: text().notNull().default(''),
    sentAt: timestamptz(),
    /** When it reached a state without further attempts. */
    finishedAt: timestamptz(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('invoice_deliveries_document_key').on(table.invoiceId, table.channel).where(sql`state <> 'rejected'`),
    index('invoice_deliveries_invoice_idx').on(table.invoiceId),
    index('invoice_deliveries_state_idx').on(table.state, table.id),
    index('invoice_deliveries_due_idx').on(table.nextAttemptAt).where(sql`next_attempt_at is not null`),
    check('invoice_deliveries_open', sql`next_attempt_at is null or state in ('waiting', 'sent')`),
  ],
);
