import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, timestamptz } from '@/db/columns';
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
    isWhole: boolean().notNull(),
    /** The ledger's position that the proof covered, where the next one can begin; null before the first roll-up. */
    position: bigint({ mode: 'number' }),
    /** When the proof's snapshot was taken. */
    startedAt: timestamptz().notNull(),
    /** Authenticates the row: without a valid value it is shown, but no proof continues from it. */
    mac: text().notNull(),
  },
  (table) => [
    index('book_proofs_ran_idx').on(table.ranAt),
    index('book_proofs_whole_idx').on(table.ranAt).where(sql`is_whole`),
  ],
);

export const proofKinds = ['books', 'audit-log'] as const;

/** Requested proofs of all rows, at most one of each kind. A job runs each and deletes its row. */
export const proofRequests = pgTable('proof_requests', {
  kind: text({ enum: proofKinds }).primaryKey(),
  requestedBy: text()
    .notNull()
    .references(() => users.id),
  requestedAt: timestamptz().notNull().defaultNow(),
  /** The end of the lease of the instance that runs it; null before the start. */
  leaseUntil: timestamptz(),
  /** The part that was verified, in percent. */
  progress: integer().notNull().default(0),
});
