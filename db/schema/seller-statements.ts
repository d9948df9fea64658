import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, minorUnits, timestamptz, updatedAt, version } from '@/db/columns';
import type { AccountingTax, TaxLine } from './invoices';
import { orders } from './orders';
import type { DocumentSeller } from './tax';
import { users } from './users';

/** The details of sellers who agreed to self-billing: the operator issues the bills for what it buys from them. */
export const sellerBillingProfiles = pgTable(
  'seller_billing_profiles',
  {
    sellerId: text()
      .primaryKey()
      .references(() => users.id),
    legalName: text().notNull(),
    /** Several lines. */
    address: text().notNull(),
    /** The tax or VAT identification number; may be empty. */
    taxId: text().notNull().default(''),
    /** ISO 3166-1 alpha-2 code. */
    country: text().notNull(),
    agreedAt: timestamptz().notNull(),
    /** The next month (YYYY-MM, in UTC) to be billed; the month of the agreement at first. */
    nextMonth: text().notNull(),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('seller_billing_profiles_next_idx').on(table.nextMonth, table.sellerId)],
);

/** Self-billed statements, one for each seller and month. Rows are immutable and keep the details they were issued with. */
export const sellerStatements = pgTable(
  'seller_statements',
  {
    id: idColumn(),
    /** The year of `issuedAt`, in UTC. */
    year: integer().notNull(),
    /** 1, 2, 3… without gaps within a year. */
    number: integer().notNull(),
    sellerId: text()
      .notNull()
      .references(() => users.id),
    /** The billed month as YYYY-MM, in UTC. */
    month: text().notNull(),
    /** What became payable to the seller in the month: the billed amount with its tax, in USD cents. */
    billedCents: minorUnits().notNull(),
    /** The tax in it: the sum of `taxes`. */
    taxCents: minorUnits().notNull().default(0),
    /** One line, also without tax, with the reason. */
    taxes: jsonb().$type<TaxLine[]>().notNull(),
    /** Null if the currency of the seller's country is USD, without tax, and without a rate of the day. */
    accountingTax: jsonb().$type<AccountingTax>(),
    /** The fees of payouts in the month, less those that were returned; may be negative. Not a part of the billed amount. */
    feeCents: minorUnits().notNull(),
    /** For information: what was earned with approvals in the month, and what settlements and lost links returned. */
    earnedCents: minorUnits().notNull(),
    returnedCents: minorUnits().notNull(),
    /** The placements of which a part became payable: the number of lines. */
    placementCount: integer().notNull(),
    legalName: text().notNull(),
    address: text().notNull(),
    taxId: text().notNull(),
    country: text().notNull(),
    operator: jsonb().$type<DocumentSeller>().notNull(),
    issuedAt: createdAt(),
  },
  (table) => [
    unique('seller_statements_number_key').on(table.year, table.number),
    unique('seller_statements_month_key').on(table.sellerId, table.month),
    index('seller_statements_seller_idx').on(table.sellerId, table.id),
    index('seller_statements_issued_idx').on(table.issuedAt),
    check('seller_statements_number_positive', sql`number > 0`),
    check(
      'seller_statements_amounts',
      sql`billed_cents >= 0 and tax_cents between 0 and billed_cents and placement_count >= 0`,
    ),
  ],
);

/** The placements of a statement, with what became payable of each. Rows are immutable. */
export const sellerStatementLines = pgTable(
  'seller_statement_lines',
  {
    statementId: text()
      .notNull()
      .references(() => sellerStatements.id),
    orderId: integer()
      .notNull()
      .references(() => orders.id),
    website: text().notNull(),
    /** With its tax, in USD cents. */
    amountCents: minorUnits().notNull(),
  },
  (table) => [primaryKey({ columns: [table.statementId, table.orderId] })],
);

/** The last number issued in a year. Incrementing it locks the row until the statement is committed. */
export const sellerStatementCounters = pgTable('seller_statement_counters', {
  year: integer().primaryKey(),
  last: integer().notNull(),
});
