import type { SQL } from 'drizzle-orm';

/** An invariant of the ledger. */
type Check = {
  /** The invariant in words, for the admin who reads the report. */
  name: string;
  /** Query with one text column that identifies each row violating the invariant; empty while it holds. */
  broken: SQL;
};

/** Checks of one subject, and the CTEs that they share; null without any. The names of CTEs are unique in a proof. */
export type CheckGroup = { parts: SQL | null; checks: readonly Check[] };
