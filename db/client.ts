import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type postgres from 'postgres';
import { env } from '@/lib/env';
import { isReadOnlyServer } from './database-errors';
import { openPool } from './open-pool';

export type Database = PostgresJsDatabase & { $client: postgres.Sql };
/** The pool, or the transaction that a function takes part in. */
export type Executor = Pick<
  PostgresJsDatabase,
  'select' | 'selectDistinct' | 'selectDistinctOn' | 'insert' | 'update' | 'delete' | 'execute' | '_'
>;

// Kept on globalThis: a reload of modules in development must not open another pool, and background jobs are bundled apart
// from request handlers. Drizzle's wrapper belongs to each module: it caches the columns of the tables, which may change
// under a running development server.
type Held = {
  linkmarketSql?: postgres.Sql;
  /** Whether the pool was requested since the last call of `wasPoolUsed`. */
  linkmarketPoolUsed?: boolean;
  linkmarketCircuitOpen?: boolean;
  /** When the pool was replaced because of a read-only server. */
  linkmarketReplacedAt?: number;
};
const holder: typeof globalThis & Held = globalThis;
let wrapper: Database | undefined;

/**
 * Returns the pool, opened at first use so that importing a module or building needs no database.
 * Sized by DATABASE_POOL_MAX (8–10 an instance: a hot wallet's row loses a third of its rate at 32);
 * DATABASE_PREPARE=off behind a transaction pooler.
 * @throws Error ETIMEDOUT while the circuit is open (`openCircuit`)
 */
export function db(): Database {
  if (holder.linkmarketCircuitOpen)
    throw Object.assign(new Error('PostgreSQL does not respond.'), { code: 'ETIMEDOUT' });
  holder.linkmarketPoolUsed = true;
  holder.linkmarketSql ??= openRequestPool();
  if (wrapper?.$client !== holder.linkmarketSql) wrapper = drizzle(holder.linkmarketSql, { casing: 'snake_case' });
  return wrapper;
}

/**
 * Returns the pool of the requests. It is replaced when a transaction meets a server that became read-only: a
 * connection survives that behind a proxy or a pooler, and with default_transaction_read_only. A new connection finds
 * the new primary.
 */
function openRequestPool(): postgres.Sql {
  const pool = openPool(env().DATABASE_POOL_MAX);
  const begin = new Proxy(pool.begin, {
    apply: async (target, self, args) => {
      try {
        return await Reflect.apply(target, self, args);
      } catch (thrown) {
        if (isReadOnlyServer(thrown)) leavePool(pool);
        throw thrown;
      }
    },
  });
  return Object.assign(pool, { begin });
}

/** Replaces the pool when a statement outside of a transaction met a server that became read-only. */
export function leaveReadOnlyServer(thrown: unknown): void {
  // Statements of the old pool may fail after it was replaced.
  if (!isReadOnlyServer(thrown) || !holder.linkmarketSql || Date.now() - (holder.linkmarketReplacedAt ?? 0) < 1_000)
    return;
  leavePool(holder.linkmarketSql);
}

function leavePool(pool: postgres.Sql): void {
  if (holder.linkmarketSql !== pool) return;
  holder.linkmarketSql = undefined;
  holder.linkmarketReplacedAt = Date.now();
  void pool.end({ timeout: 5 });
}

/** Checks whether the pool was requested since the last call. */
export function wasPoolUsed(): boolean {
  const used = holder.linkmarketPoolUsed ?? false;
  holder.linkmarketPoolUsed = false;
  return used;
}

/** Opens the circuit for a PostgreSQL that neither answers nor closes connections: requests fail at once. */
export async function openCircuit(): Promise<void> {
  holder.linkmarketCircuitOpen = true;
  const hanging = holder.linkmarketSql;
  holder.linkmarketSql = undefined;
  await hanging?.end({ timeout: 0 });
}

/** Closes the circuit when the database answers again: the next request opens a new pool. */
export function closeCircuit(): void {
  holder.linkmarketCircuitOpen = false;
}

/** Closes the pool, for scripts and tests. */
export async function closeDb(): Promise<void> {
  await holder.linkmarketSql?.end({ timeout: 5 });
  holder.linkmarketSql = undefined;
}
