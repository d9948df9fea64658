import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt } from '../columns';

/** Niches are plain names, as in the API. */
export const niches = pgTable('niches', { name: text().primaryKey(), createdAt: createdAt() });

/**
 * Names of post types. The marketplace shows a tab for each, in the order of `position`. A new database has Guest posts,
 * Homepage links, Innerpage links and Sitewide links (db/migrations/0002_custom.sql).
 */
export const postTypes = pgTable('post_types', {
  name: text().primaryKey(),
  position: integer().notNull().default(100),
  createdAt: createdAt(),
});
