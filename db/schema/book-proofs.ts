import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, timestamptz } from '../columns';
import { users } from './users';

/** The results of the ledger's proofs that admins or the command line started. */
export const bookProofs = pgTable(
  'book_proofs',
  {
    id: idColumn(),
    ranAt: timestamptz().notNull().defaultNow(),
    ranBy: text().references(() => users.id),
    isSound: boolean().notNull(),
    /** The complete report, as lib/ledger/prove-books.ts writes it. */
    report: jsonb().$type<unknown>().notNull(),
    /** Whether the proof covered all rows; false if it began at the position of an earlier proof. */
    isWhole: boolean().notNull().default(true),
    /**
     * The ledger's position that the proof covered, where the next one can begin; null if the roll-up had not reached
     * all transfers.
     */
    position: bigint({ mode: 'number' }),
    /** When the proof's snapshot was taken; null in rows of versions that only proved the whole. */
    startedAt: timestamptz(),
  },
  (table) => [
    index('book_proofs_ran_idx').on(table.ranAt),
    index('book_proofs_whole_idx').on(table.ranAt).where(sql`is_whole`),
  ],
);

/** The requested proof of all rows, in at most one row. The job `prove-books` runs it and deletes the row. */
export const bookProofRequests = pgTable(
  'book_proof_requests',
  {
    id: boolean().primaryKey().default(true),
    requestedBy: text()
      .notNull()
      .references(() => users.id),
    requestedAt: timestamptz().notNull().defaultNow(),
    /** The end of the lease of the instance that runs it; null before the start. */
    leaseUntil: timestamptz(),
    /** The share of the checks that ran, in percent. */
    progress: integer().notNull().default(0),
  },
  (table) => [check('book_proof_requests_one_row', sql`${table.id}`)],
);
