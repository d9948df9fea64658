import { boolean, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, moment } from '../columns';
import { users } from './users';

/** Each time an admin had the books proven: what was found, so that the next one sees when they were last sound. */
export const bookProofs = pgTable(
  'book_proofs',
  {
    id: idColumn(),
    ranAt: moment().notNull().defaultNow(),
    ranBy: text().references(() => users.id),
    isSound: boolean().notNull(),
    /** The whole report; lib/ledger/prove-books.ts writes it and knows its shape. */
    report: jsonb().$type<unknown>().notNull(),
  },
  (table) => [index('book_proofs_ran_idx').on(table.ranAt)],
);
