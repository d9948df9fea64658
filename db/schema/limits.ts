import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { timestamptz } from '@/db/columns';

/** Counts of attempts in a time window, shared by all instances. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    /** The limit and its subject, e.g. `sign-in:account:buyer@example.com`. */
    key: text().primaryKey(),
    count: integer().notNull(),
    /** The end of the window, after which the count restarts. */
    resetsAt: timestamptz().notNull(),
  },
  (table) => [index('rate_limits_resets_idx').on(table.resetsAt)],
);
