import { pgTable, text } from 'drizzle-orm/pg-core';
import { timestamptz } from '../columns';
import { users } from './users';

/** When a user last opened the bell; no row: never. */
export const bellReads = pgTable('bell_reads', {
  userId: text()
    .primaryKey()
    .references(() => users.id),
  readAt: timestamptz().notNull(),
});
