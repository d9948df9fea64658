import { type Database, db } from './client';

/**
 * A statement that is written once and planned once for each connection (with DATABASE_PREPARE=off, written once): for
 * what runs in many requests, where that would cost more than the rows. Another pool, as tests open, gets its own.
 * @param prepare ends in Drizzle's `.prepare(name)`; what differs from call to call is a placeholder
 */
export function prepared<Statement>(prepare: (on: Database) => Statement): () => Statement {
  let kept: { on: Database; statement: Statement } | undefined;
  return () => {
    const on = db();
    if (kept?.on !== on) kept = { on, statement: prepare(on) };
    return kept.statement;
  };
}
