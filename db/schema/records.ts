import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
} from 'drizzle-orm/pg-core';
import { timestamptz } from '@/db/columns';
import { sites } from './sites';
import { users } from './users';

/** The share of links that are live after some days, and the number of links behind it; null where too little is known. */
export type AliveShares = Record<'30' | '90' | '365', { share: number; links: number } | null>;

/**
 * How the orders of a listing, or of a seller, were fulfilled in the last 12 months (docs/internals/records.md). Derived
 * from orders, placements, disputes and links, and kept by lib/sites/record/refresh.ts. Backups do not contain these
 * tables, and a restore empties them.
 */
export const fulfilmentRecords = pgTable(
  'fulfilment_records',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    siteId: integer()
      .unique('fulfilment_records_site_key')
      .references(() => sites.id, { onDelete: 'cascade' }),
    sellerId: text()
      .unique('fulfilment_records_seller_key')
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The day (UTC) with which the window ends. */
    day: date({ mode: 'string' }).notNull(),
    computedAt: timestamptz().notNull().defaultNow(),
    orders: integer().notNull(),
    accepted: integer().notNull(),
    acceptedInTime: doublePrecision().notNull(),
    deliveredInTime: doublePrecision().notNull(),
    medianDays: doublePrecision(),
    revisionsPerOrder: doublePrecision().notNull(),
    disputesLost: integer().notNull(),
    alive: jsonb().$type<AliveShares>().notNull(),
    /** Null below five orders. */
    reliability: doublePrecision(),
    /** Whether `sites.reliability` is that of the record. True for a seller. */
    isCopied: boolean().notNull().default(true),
  },
  (table) => [
    index('fulfilment_records_to_copy_idx').on(table.siteId).where(sql`not is_copied`),
    check('fulfilment_records_subject', sql`num_nonnulls(site_id, seller_id) = 1`),
  ],
);

/** Listings and sellers whose record changed since it was computed. Triggers on the tables of its facts write the rows. */
export const recordMarks = pgTable(
  'record_marks',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    siteId: integer(),
    sellerId: text(),
  },
  (table) => [
    index('record_marks_site_idx').on(table.siteId).where(sql`site_id is not null`),
    index('record_marks_seller_idx').on(table.sellerId).where(sql`seller_id is not null`),
  ],
);

/** How far the records of a day are computed, in at most one row. */
export const recordRollup = pgTable(
  'record_rollup',
  {
    id: boolean().primaryKey().default(true),
    day: date({ mode: 'string' }).notNull(),
    /** The last listing and the last seller whose record of the day is computed; null when all are. */
    afterSite: integer(),
    afterSeller: text(),
    /** When reliabilities were copied to listings. */
    copiedAt: timestamptz(),
  },
  (table) => [check('record_rollup_one_row', sql`${table.id}`)],
);
