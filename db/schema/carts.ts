import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, minorUnits, updatedAt, version } from '@/db/columns';
import { accounts } from './accounts';
import { projects } from './projects';
import { sites } from './sites';

/** Carts of buyers: one for each project, and one without a project. */
export const carts = pgTable(
  'carts',
  {
    id: idColumn(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /** Null for the cart without a project. */
    projectId: text().references(() => projects.id),
    name: text().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** Of the cart with its items: every change of either increments it. */
    version: version(),
  },
  (table) => [
    unique('carts_account_project_key').on(table.accountId, table.projectId).nullsNotDistinct(),
    index('carts_project_idx').on(table.projectId),
  ],
);

/** A brief as the buyer typed it, also while it is incomplete or invalid. */
export type CartBrief = Readonly<Record<string, string | number | null | readonly string[]>>;

/** The sites of carts, each with its brief. */
export const cartItems = pgTable(
  'cart_items',
  {
    cartId: text()
      .notNull()
      .references(() => carts.id, { onDelete: 'cascade' }),
    siteId: integer()
      .notNull()
      .references(() => sites.id),
    /** The place in the list, from 0. */
    position: integer().notNull(),
    brief: jsonb().$type<CartBrief>().notNull(),
    /** The price when the site was added, in USD cents. */
    shownPriceCents: minorUnits().notNull(),
    /** The price of its options when they were chosen, in USD cents. */
    shownOptionsCents: minorUnits().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.cartId, table.siteId] }),
    index('cart_items_site_idx').on(table.siteId),
    // The articles that carts keep (lib/jobs/remove-old-records.ts).
    index('cart_items_article_idx').on(sql`(brief ->> 'articleId')`).where(sql`brief ->> 'articleId' is not null`),
    check('cart_items_position', sql`${table.position} >= 0`),
  ],
);
