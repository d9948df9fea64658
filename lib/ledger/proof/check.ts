import type { SQL } from 'drizzle-orm';

/** An invariant of the ledger. */
type Check = {
  /** The invariant in words, for the admin who reads the report. */
  name: string;
  /** Query with one text column that identifies each row violating the invariant; empty while it holds. */
  broken: SQL;
};

/** Checks that run in one statement, and the CTEs that they share; null without any. */
export type CheckGroup = { parts: SQL | null; checks: readonly Check[] };
