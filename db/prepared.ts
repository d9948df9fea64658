import { type Database, db, type Executor } from './client';
import { driverOf } from './transaction';

/**
 * Prepares a statement whose SQL is built once for the process and which is planned once for each connection (with
 * DATABASE_PREPARE=off, only built once). For statements of many requests, where building and planning would cost more
 * than reading the rows.
 * @param prepare ends in Drizzle's `.prepare(name)`; values that differ from call to call are placeholders
 * @returns a function that returns the statement for a transaction, or without one for the pool
 */
export function prepared<Statement extends object>(prepare: (on: Database) => Statement): (on?: Executor) => Statement {
  let built: Statement | undefined;
  return (on = db()) => {
    built ??= prepare(db());
    // Drizzle binds a statement to the client that it was built on. The SQL is the same for each.
    return Object.create(built, { client: { value: driverOf(on) } });
  };
}
