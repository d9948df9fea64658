import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, moment, updatedAt } from '../columns';
import { users } from './users';

/** A buyer's website that gets links. */
export const projects = pgTable(
  'projects',
  {
    id: idColumn(),
    userId: text()
      .notNull()
      .references(() => users.id),
    domain: text().notNull(),
    description: text().notNull(),
    niche: text().notNull(),
    postType: text().notNull(),
    targetUrl: text().notNull(),
    /** Comma-separated, as the contract has them. */
    keywords: text().notNull(),
    country: text().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** Hidden from the list; orders made for it keep their copy of its words. */
    deletedAt: moment(),
  },
  (table) => [index('projects_user_idx').on(table.userId, table.createdAt)],
);
