import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt } from '@/db/columns';
import { users } from './users';

/** A kind of mail (lib/mail/preferences.ts) that a user turned off. */
export const mailOptOuts = pgTable(
  'mail_opt_outs',
  {
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind] })],
);
