import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type postgres from 'postgres';
import { env } from '../lib/env';
import { openPool } from './open-pool';

export type Database = PostgresJsDatabase & { $client: postgres.Sql };
/** What a verb can be handed: the pool, or the transaction it takes part in. */
export type Executor = Pick<
  PostgresJsDatabase,
  'select' | 'selectDistinct' | 'selectDistinctOn' | 'insert' | 'update' | 'delete' | 'execute'
>;

// Kept on globalThis: development reloads modules, and each reload must not open another pool; and what the process does by
// itself is bundled apart from what answers requests. Drizzle's wrapper is each module's own: it remembers the columns of
// the tables, which may change under a running development server.
type Held = {
  linkmarketSql?: postgres.Sql;
  /** Whether anybody asked for the pool since `wasAsked`. */
  linkmarketAsked?: boolean;
  linkmarketHangs?: boolean;
};
const holder: typeof globalThis & Held = globalThis;
let wrapper: Database | undefined;

/**
 * The pool, opened at first use so that importing a module or building needs no database.
 * Sized by DATABASE_POOL_MAX (8–10 an instance: a hot wallet's row loses a third of its rate at 32);
 * DATABASE_PREPARE=off behind a transaction pooler.
 * @throws Error ETIMEDOUT while PostgreSQL is known not to answer (`giveUpDatabase`)
 */
export function db(): Database {
  if (holder.linkmarketHangs) throw Object.assign(new Error('PostgreSQL does not answer.'), { code: 'ETIMEDOUT' });
  holder.linkmarketAsked = true;
  holder.linkmarketSql ??= openPool(env().DATABASE_POOL_MAX);
  if (wrapper?.$client !== holder.linkmarketSql) wrapper = drizzle(holder.linkmarketSql, { casing: 'snake_case' });
  return wrapper;
}

/** Whether the pool was asked for since this was last called. */
export function wasAsked(): boolean {
  const asked = holder.linkmarketAsked ?? false;
  holder.linkmarketAsked = false;
  return asked;
}

/** For a PostgreSQL that neither answers nor closes: whoever waits for it is refused, and whoever asks, at once. */
export async function giveUpDatabase(): Promise<void> {
  holder.linkmarketHangs = true;
  const hanging = holder.linkmarketSql;
  holder.linkmarketSql = undefined;
  await hanging?.end({ timeout: 0 });
}

/** It answers again: the next one who asks opens a new pool. */
export function takeUpDatabase(): void {
  holder.linkmarketHangs = false;
}

/** Closes the pool; for scripts and tests that end. */
export async function closeDb(): Promise<void> {
  await holder.linkmarketSql?.end({ timeout: 5 });
  holder.linkmarketSql = undefined;
}
