import { pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from '../columns';
import { users } from './users';

/** Until when somebody has read what their bell tells; nobody's row: they never opened it. */
export const bellReads = pgTable('bell_reads', {
  userId: text()
    .primaryKey()
    .references(() => users.id),
  readAt: moment().notNull(),
});
