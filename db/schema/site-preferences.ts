import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, updatedAt } from '../columns';
import { sites } from './sites';
import { users } from './users';

export const siteMarkKinds = ['favourite', 'hidden'] as const;
export type SiteMarkKind = (typeof siteMarkKinds)[number];

/** What a person thinks of a site: kept in sight, or out of it. */
export const siteMarks = pgTable(
  'site_marks',
  {
    userId: text()
      .notNull()
      .references(() => users.id),
    kind: text({ enum: siteMarkKinds }).notNull(),
    siteId: integer()
      .notNull()
      .references(() => sites.id),
    createdAt: createdAt(),
  },
  (table) => [
    // In this order, so that one person's favourites stand together and one site of them is found at once.
    primaryKey({ columns: [table.userId, table.kind, table.siteId] }),
    index('site_marks_site_idx').on(table.siteId),
  ],
);

/** A filter of the marketplace that a person gave a name. */
export const savedFilters = pgTable(
  'saved_filters',
  {
    id: idColumn(),
    userId: text()
      .notNull()
      .references(() => users.id),
    name: text().notNull(),
    /** The filter as it stands in the marketplace's address, its parameters in one order. */
    query: text().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('saved_filters_user_name_key').on(table.userId, sql`lower(${table.name})`)],
);

/** How a person wants the marketplace's list to look, on every device. */
export const marketplaceViews = pgTable('marketplace_views', {
  userId: text()
    .primaryKey()
    .references(() => users.id),
  /** The columns shown, by the names of lib/sites/columns.ts. */
  columns: text().array().notNull(),
  updatedAt: updatedAt(),
});
