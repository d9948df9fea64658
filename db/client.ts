import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { env } from '../lib/env';

export type Database = PostgresJsDatabase & { $client: postgres.Sql };
/** What a verb can be handed: the pool, or the transaction it takes part in. */
export type Executor = Pick<
  PostgresJsDatabase,
  'select' | 'selectDistinct' | 'selectDistinctOn' | 'insert' | 'update' | 'delete' | 'execute'
>;

// Kept on globalThis: development reloads modules, and each reload must not open another pool. Drizzle's wrapper is each
// module's own: it remembers the columns of the tables, which may change under a running development server.
const holder: typeof globalThis & { linkmarketSql?: postgres.Sql } = globalThis;
let wrapper: Database | undefined;

/**
 * The pool, opened at first use so that importing a module or building needs no database.
 * Sized by DATABASE_POOL_MAX (8–10 an instance: a hot wallet's row loses a third of its rate at 32);
 * DATABASE_PREPARE=off behind a transaction pooler.
 */
export function db(): Database {
  holder.linkmarketSql ??= open();
  if (wrapper?.$client !== holder.linkmarketSql) wrapper = drizzle(holder.linkmarketSql, { casing: 'snake_case' });
  return wrapper;
}

function open(): postgres.Sql {
  const { DATABASE_URL, DATABASE_POOL_MAX, DATABASE_PREPARE } = env();
  return postgres(DATABASE_URL, {
    max: DATABASE_POOL_MAX,
    prepare: DATABASE_PREPARE === 'on',
    idle_timeout: 60,
    connect_timeout: 10,
    // The driver's own pause grows to 20 seconds, which is how long people would wait after the database came back.
    backoff: (attempt) => Math.min(0.05 * 2 ** attempt, 1),
    onnotice: () => undefined,
  });
}

/** Closes the pool; for scripts and tests that end. */
export async function closeDb(): Promise<void> {
  await holder.linkmarketSql?.end({ timeout: 5 });
  holder.linkmarketSql = undefined;
}
