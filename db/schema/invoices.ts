import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
} from 'drizzle-orm/pg-core';
import { createdAt, idColumn, minorUnits, timestamptz } from '@/db/columns';
import { accounts } from './accounts';
import { orders } from './orders';
import { type BillingIdentity, type DocumentSeller, type TaxCategory, taxCategories } from './tax';

export const invoiceKinds = ['invoice', 'credit_note'] as const;
export type InvoiceKind = (typeof invoiceKinds)[number];
/** The series of numbers: those of invoices and credit notes, and that of receipts. */
export const documentSeries = [...invoiceKinds, 'receipt'] as const;
export type DocumentSeries = (typeof documentSeries)[number];

/** One line of the tax breakdown: amounts in USD cents, `rate` in hundredths of a percent. */
export type TaxLine = {
  rate: number;
  category: TaxCategory;
  /** The VATEX code of an exemption; may be empty. */
  reason: string;
  /** The words on the document; may be empty. */
  text: string;
  /** The country whose tax it is; empty for none. */
  country: string;
  netCents: number;
  taxCents: number;
};

/** The tax in the currency of the operator's country (BT-6 and BT-111 of EN 16931). */
export type AccountingTax = {
  currency: string;
  /** In hundredths of `currency`, whatever its smallest unit is. */
  taxMinor: number;
  /** Millionths of `currency` per USD, and the day of the rate. In this direction a rate is exact for every currency. */
  unitMicrosPerUsd: number;
  day: string;
};

/**
 * Invoices and credit notes: one document for each movement of an order's money. Rows are immutable; seller and buyer
 * keep the details that the document was issued with.
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
    /** The account that bought, which the order has too. */
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    orderId: integer()
      .notNull()
      .references(() => orders.id),
    /** The ledger's key of the movement: `order:12`, `refund:12:1`, `recharge:12:1`. */
    movementKey: text().notNull(),
    /** The net amount moved, in USD cents. */
    amountCents: minorUnits().notNull(),
    /** The tax moved with it, in USD cents: the sum of `taxes`. */
    taxCents: minorUnits().notNull().default(0),
    /** One line for each rate and category; also without tax, with the reason. */
    taxes: jsonb().$type<TaxLine[]>().notNull(),
    /** Null if the operator's currency is USD, without tax, and without a rate of the day. */
    accountingTax: jsonb().$type<AccountingTax>(),
    seller: jsonb().$type<DocumentSeller>().notNull(),
    /** Without a country if the buyer had no billing profile. */
    buyer: jsonb().$type<BillingIdentity>().notNull(),
    /** When the money moved. */
    movedAt: timestamptz().notNull(),
    issuedAt: createdAt(),
  },
  (table) => [
    unique('invoices_number_key').on(table.kind, table.year, table.number),
    unique('invoices_movement_key').on(table.movementKey),
    index('invoices_order_idx').on(table.orderId),
    // The documents of an account, newest first, and the sums of a month, from the index alone.
    index('invoices_account_idx').on(
      ...[table.accountId, table.issuedAt, table.id, table.kind, table.amountCents, table.taxCents],
    ),
    index('invoices_moved_idx').on(table.movedAt, table.id),
    check('invoices_number_positive', sql`number > 0`),
    check('invoices_amount_positive', sql`amount_cents > 0`),
  ],
);

/**
 * The sums of the tax lines of all documents, by the day (UTC) on which their money moved: what the reports of tax read,
 * whatever the number of documents. The transaction that issues a document adds to them.
 */
export const taxRollups = pgTable(
  'tax_rollups',
  {
    day: date({ mode: 'string' }).notNull(),
    kind: text({ enum: invoiceKinds }).notNull(),
    /** The country whose tax it is; empty for none. */
    country: text().notNull(),
    rate: integer().notNull(),
    category: text({ enum: taxCategories }).notNull(),
    /** The currency of the operator's country; empty where the documents state none. */
    currency: text().notNull(),
    documents: integer().notNull(),
    netCents: minorUnits().notNull(),
    taxCents: minorUnits().notNull(),
    netMinor: minorUnits().notNull(),
    taxMinor: minorUnits().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.kind, table.country, table.rate, table.category, table.currency] }),
  ],
);

/**
 * Receipts of the money that buyers paid in: one for each top-up and manual credit. Rows are immutable. They are no
 * invoices: their numbers are a series of their own.
 */
export const receipts = pgTable(
  'receipts',
  {
    id: idColumn(),
    /** The year of `issuedAt`, in UTC. */
    year: integer().notNull(),
    /** 1, 2, 3… without gaps, within a year. */
    number: integer().notNull(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /** The ledger's key of the credit. */
    movementKey: text().notNull(),
    /** The amount credited, in USD cents. */
    amountCents: minorUnits().notNull(),
    /** What was paid, in minor units of `paidCurrency`. */
    paidMinor: minorUnits().notNull(),
    paidCurrency: text().notNull(),
    /** Millionths of a USD per unit of `paidCurrency`; null if it is USD. */
    usdMicrosPerUnit: bigint({ mode: 'number' }),
    /** The provider, or "Credit by staff". */
    method: text().notNull(),
    movedAt: timestamptz().notNull(),
    seller: jsonb().$type<DocumentSeller>().notNull(),
    buyer: jsonb().$type<BillingIdentity>().notNull(),
    issuedAt: createdAt(),
  },
  (table) => [
    unique('receipts_number_key').on(table.year, table.number),
    unique('receipts_movement_key').on(table.movementKey),
    index('receipts_account_idx').on(table.accountId, table.issuedAt, table.id, table.amountCents),
    check('receipts_amounts', sql`number > 0 and amount_cents > 0 and paid_minor > 0`),
  ],
);

/** The last number issued. Incrementing it locks the row until the document is committed: numbers have no gaps or duplicates. */
export const invoiceCounters = pgTable(
  'invoice_counters',
  {
    kind: text({ enum: documentSeries }).notNull(),
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
