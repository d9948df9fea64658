import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type postgres from 'postgres';
import { env } from '../lib/env';
import { openPool } from './open-pool';

export type Database = PostgresJsDatabase & { $client: postgres.Sql };
/** The pool, or the transaction that a function takes part in. */
export type Executor = Pick<
  PostgresJsDatabase,
  'select' | 'selectDistinct' | 'selectDistinctOn' | 'insert' | 'update' | 'delete' | 'execute'
>;

// Kept on globalThis: a reload of modules in development must not open another pool, and background jobs are bundled apart
// from request handlers. Drizzle's wrapper belongs to each module: it caches the columns of the tables, which may change
// under a running development server.
type Held = {
  linkmarketSql?: postgres.Sql;
  /** Whether the pool was requested since the last call of `wasPoolUsed`. */
  linkmarketPoolUsed?: boolean;
  linkmarketCircuitOpen?: boolean;
};
const holder: typeof globalThis & Held = globalThis;
let wrapper: Database | undefined;

/**
 * The pool, opened at first use so that importing a module or building needs no database.
 * Sized by DATABASE_POOL_MAX (8–10 an instance: a hot wallet's row loses a third of its rate at 32);
 * DATABASE_PREPARE=off behind a transaction pooler.
 * @throws Error ETIMEDOUT while the circuit is open (`openCircuit`)
 */
export function db(): Database {
  if (holder.linkmarketCircuitOpen)
    throw Object.assign(new Error('PostgreSQL does not respond.'), { code: 'ETIMEDOUT' });
  holder.linkmarketPoolUsed = true;
  holder.linkmarketSql ??= openPool(env().DATABASE_POOL_MAX);
  if (wrapper?.$client !== holder.linkmarketSql) wrapper = drizzle(holder.linkmarketSql, { casing: 'snake_case' });
  return wrapper;
}

/** Whether the pool was requested since the last call. */
export function wasPoolUsed(): boolean {
  const used = holder.linkmarketPoolUsed ?? false;
  holder.linkmarketPoolUsed = false;
  return used;
}

/** For a PostgreSQL that neither answers nor closes its connections: waiting and new requests fail at once. */
export async function openCircuit(): Promise<void> {
  holder.linkmarketCircuitOpen = true;
  const hanging = holder.linkmarketSql;
  holder.linkmarketSql = undefined;
  await hanging?.end({ timeout: 0 });
}

/** The database answers again: the next request opens a new pool. */
export function closeCircuit(): void {
  holder.linkmarketCircuitOpen = false;
}

/** Closes the pool, for scripts and tests. */
export async function closeDb(): Promise<void> {
  await holder.linkmarketSql?.end({ timeout: 5 });
  holder.linkmarketSql = undefined;
}
