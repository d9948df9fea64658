import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt } from '@/db/columns';
import { users } from './users';

/** Niches are plain names, as in the API. */
export const niches = pgTable('niches', { name: text().primaryKey(), createdAt: createdAt() });

/**
 * Niches of imported sites that the list does not have: they wait until staff accept them, or replace them by an existing
 * one. A replaced name stays as an alias for later imports.
 */
export const nicheProposals = pgTable('niche_proposals', {
  /** The normalized name (lib/taxonomy/contract.ts). */
  key: text().primaryKey(),
  /** The first spelling, which the imported sites have. */
  name: text().notNull(),
  /** The existing niche that replaces it; null while it waits. */
  niche: text().references(() => niches.name, { onDelete: 'cascade' }),
  proposedBy: text()
    .notNull()
    .references(() => users.id),
  createdAt: createdAt(),
});

/**
 * Names of post types. The marketplace shows a tab for each, in the order of `position`. A new database has Guest posts,
 * Homepage links, Innerpage links and Sitewide links (db/migrations/0002_custom.sql).
 */
export const postTypes = pgTable('post_types', {
  name: text().primaryKey(),
  position: integer().notNull().default(100),
  createdAt: createdAt(),
});
