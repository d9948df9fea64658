import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from '../columns';

/** How often something was tried in a window, shared by all instances. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    /** What is limited and for whom, e.g. `sign-in:account:buyer@example.com`. */
    key: text().primaryKey(),
    count: integer().notNull(),
    /** The window's end; after it the count starts again. */
    resetsAt: moment().notNull(),
  },
  (table) => [index('rate_limits_resets_idx').on(table.resetsAt)],
);
