import { sql } from 'drizzle-orm';
import { boolean, check, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, identityColumn, minorUnits, timestamptz, updatedAt, version } from '@/db/columns';
import { currencies } from '@/lib/money';

/** Bundles of links sold at one price. */
export const packages = pgTable(
  'packages',
  {
    id: identityColumn(),
    name: text().notNull(),
    description: text().notNull().default(''),
    priceCents: minorUnits().notNull(),
    currency: text({ enum: currencies }).notNull().default('USD'),
    /** CSV text or JSON, as the admin wrote it (both are part of the API's contract). */
    links: text().notNull().default(''),
    isOnSale: boolean().notNull().default(true),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: timestamptz(),
  },
  (table) => [
    check('packages_price_not_negative', sql`${table.priceCents} >= 0`),
    // An empty price is stored as 0. A package without a price is not for sale, so that no order is free.
    check('packages_sold_at_a_price', sql`not ${table.isOnSale} or ${table.priceCents} > 0`),
  ],
);
