import { sql } from 'drizzle-orm';
import { boolean, index, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, minorUnits, timestamptz, updatedAt, version } from '@/db/columns';
import { accounts } from './accounts';

/** Buyers' websites that receive links. */
export const projects = pgTable(
  'projects',
  {
    id: idColumn(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    domain: text().notNull(),
    description: text().notNull(),
    niche: text().notNull(),
    postType: text().notNull(),
    targetUrl: text().notNull(),
    /** Comma-separated, as in the API. */
    keywords: text().notNull(),
    country: text().notNull(),
    /** Whether the marketplace leaves out the sites that link to the project already. */
    hidesLinked: boolean().notNull().default(false),
    /** The most that its orders may cost in a month (UTC) without an approval, in USD cents; null for no limit. */
    monthlyBudgetCents: minorUnits(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** A deleted project is hidden from the list; its orders keep their copies of its fields. */
    deletedAt: timestamptz(),
    version: version(),
  },
  (table) => [
    index('projects_account_idx').on(table.accountId, table.createdAt),
    index('projects_created_idx').on(table.createdAt).where(sql`deleted_at is null`),
  ],
);
