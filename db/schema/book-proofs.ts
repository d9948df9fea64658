import { boolean, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, timestamptz } from '../columns';
import { users } from './users';

/** The results of the ledger's proofs that admins started. */
export const bookProofs = pgTable(
  'book_proofs',
  {
    id: idColumn(),
    ranAt: timestamptz().notNull().defaultNow(),
    ranBy: text().references(() => users.id),
    isSound: boolean().notNull(),
    /** The complete report, as lib/ledger/prove-books.ts writes it. */
    report: jsonb().$type<unknown>().notNull(),
  },
  (table) => [index('book_proofs_ran_idx').on(table.ranAt)],
);
