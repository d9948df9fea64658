import { type Database, db } from './client';

/**
 * Prepares a statement whose SQL is built once and which is planned once for each connection (with
 * DATABASE_PREPARE=off, only built once). For statements of many requests, where building and planning would cost more
 * than reading the rows. Another pool, as tests open, gets its own statement.
 * @param prepare ends in Drizzle's `.prepare(name)`; values that differ from call to call are placeholders
 */
export function prepared<Statement>(prepare: (on: Database) => Statement): () => Statement {
  let cached: { on: Database; statement: Statement } | undefined;
  return () => {
    const on = db();
    if (cached?.on !== on) cached = { on, statement: prepare(on) };
    return cached.statement;
  };
}
