import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, updatedAt } from '@/db/columns';
import { accounts } from './accounts';
import { sites } from './sites';
import { users } from './users';

export const siteMarkKinds = ['favourite', 'hidden'] as const;
export type SiteMarkKind = (typeof siteMarkKinds)[number];

/** A user's mark on a site: a favourite, or hidden. */
export const siteMarks = pgTable(
  'site_marks',
  {
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    kind: text({ enum: siteMarkKinds }).notNull(),
    siteId: integer()
      .notNull()
      .references(() => sites.id),
    createdAt: createdAt(),
  },
  (table) => [
    // In this order, so that the index serves both a user's favourites and the lookup of one site.
    primaryKey({ columns: [table.accountId, table.kind, table.siteId] }),
    index('site_marks_site_idx').on(table.siteId),
  ],
);

/** The name of the marketplace's list among saved filters. */
export const marketplaceList = 'marketplace';

/** A named filter of a list: of the marketplace, or of a list in the admin area. */
export const savedFilters = pgTable(
  'saved_filters',
  {
    id: idColumn(),
    userId: text()
      .notNull()
      .references(() => users.id),
    /** The list: `marketplaceList`, or the path of a screen. */
    list: text().notNull().default(marketplaceList),
    name: text().notNull(),
    /** The filter as the query of the list's URL. */
    query: text().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('saved_filters_user_name_key').on(table.userId, table.list, sql`lower(${table.name})`)],
);

/** A user's view of the marketplace's list, for all devices. */
export const marketplaceViews = pgTable('marketplace_views', {
  userId: text()
    .primaryKey()
    .references(() => users.id),
  /** The visible columns, null before the first choice, by the names in components/sites/site-columns.tsx. */
  columns: text().array(),
  /** The last filters and order, as the query of the marketplace's URL. */
  query: text().notNull().default(''),
  updatedAt: updatedAt(),
});
