import { pgTable, text } from 'drizzle-orm/pg-core';
import { timestamptz } from '@/db/columns';
import { users } from './users';

/** The time up to which a user has marked all notifications as read; no row: never. */
export const bellReads = pgTable('bell_reads', {
  userId: text()
    .primaryKey()
    .references(() => users.id),
  readAt: timestamptz().notNull(),
});
