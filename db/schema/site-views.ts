import { date, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { users } from './users';

/** How often buyers looked at the details of a seller's sites on a day (UTC): each buyer once per site and day. */
export const siteViewDays = pgTable(
  'site_view_days',
  {
    ownerId: text()
      .notNull()
      .references(() => users.id),
    day: date().notNull(),
    views: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.day] }), index('site_view_days_day_idx').on(table.day)],
);

/**
 * A mark for each buyer, site and day that is counted, until the day is over. It names neither: it is an HMAC with a key
 * from SECRET_KEYS (lib/sites/count-view.ts).
 */
export const siteViewMarks = pgTable(
  'site_view_marks',
  { mark: text().primaryKey(), day: date().notNull() },
  (table) => [index('site_view_marks_day_idx').on(table.day)],
);
