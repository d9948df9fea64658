import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, minorUnits, timestamptz } from '@/db/columns';
import { orders } from './orders';

export const invoiceKinds = ['invoice', 'credit_note'] as const;
export type InvoiceKind = (typeof invoiceKinds)[number];

/**
 * Invoices and credit notes: one document for each movement of an order's money. Rows are immutable; seller and buyer
 * keep the names that the document was issued with.
 */
export const invoices = pgTable(
  'invoices',
  {
    id: idColumn(),
    kind: text({ enum: invoiceKinds }).notNull(),
    /** The year of `issuedAt`, in UTC. */
    year: integer().notNull(),
    /** 1, 2, 3… without gaps, within a kind and year. */
    number: integer().notNull(),
    orderId: integer()
      .notNull()
      .references(() => orders.id),
    /** The ledger's key of the movement: `order:12`, `refund:12:1`, `recharge:12:1`. */
    movementKey: text().notNull(),
    /** The amount moved, in USD cents. */
    amountCents: minorUnits().notNull(),
    /** When the money moved. */
    movedAt: timestamptz().notNull(),
    sellerName: text().notNull(),
    /** Several lines; empty if the branding had no address. */
    sellerAddress: text().notNull(),
    buyerName: text().notNull(),
    buyerEmail: text().notNull(),
    issuedAt: createdAt(),
  },
  (table) => [
    unique('invoices_number_key').on(table.kind, table.year, table.number),
    unique('invoices_movement_key').on(table.movementKey),
    index('invoices_order_idx').on(table.orderId),
    check('invoices_number_positive', sql`number > 0`),
    check('invoices_amount_positive', sql`amount_cents > 0`),
  ],
);

/** The last number issued. Incrementing it locks the row until the document is committed: numbers have no gaps or duplicates. */
export const invoiceCounters = pgTable(
  'invoice_counters',
  {
    kind: text({ enum: invoiceKinds }).notNull(),
    year: integer().notNull(),
    last: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.year] })],
);

/**
 * The transfers that the job `issue-invoices` has read, in at most one row. It is derived: without the row, the job reads all
 * transfers again and issues only the missing documents. Backups do not contain it, and a restore empties it.
 */
export const invoiceCursor = pgTable(
  'invoice_cursor',
  {
    id: boolean().primaryKey().default(true),
    /** All transfers with a position up to this one have their documents. */
    position: bigint({ mode: 'number' }).notNull().default(0),
  },
  (table) => [check('invoice_cursor_one_row', sql`${table.id}`)],
);
