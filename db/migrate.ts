import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { Sql } from 'postgres';
import { advisoryLock } from './advisory-locks';
import { connect } from './open-pool';

/**
 * The first line of a migration whose statements run one by one: `CREATE` and `DROP INDEX CONCURRENTLY`, whose locks
 * block no writes however long they wait.
 */
const withoutTransaction = '-- no transaction';
/** The maximum time a transaction waits for a table lock, because every later statement on the table waits behind it. */
const lockTimeoutMs = 1_000;
const maxAttempts = 60;
const lockNotAvailable = '55P03';

/**
 * Applies the pending migrations of a database. Safe to call concurrently: callers wait for each other. A migration
 * runs in one transaction, unless its first line is `-- no transaction`: such a migration can be interrupted, and its
 * statements run again until all have succeeded.
 * @param url a role that owns the schema, not the application's own role
 * @param folder the migrations
 * @throws Error from PostgreSQL when a migration fails, or when a table stays locked by others for a minute
 */
export async function migrateDatabase(url: string, folder = join(import.meta.dirname, 'migrations')): Promise<void> {
  const client = connect(url, { max: 1 });
  try {
    // Polling, because a session that waits in a statement keeps CREATE INDEX CONCURRENTLY waiting.
    while (!(await tryLock(client))) await setTimeout(200);
    await client`set statement_timeout = 0`;
    await client`create schema if not exists drizzle`;
    await client`create table if not exists drizzle.__drizzle_migrations
      (id serial primary key, hash text not null, created_at bigint)`;
    const [last] = await client<{ at: string | null }[]>`
      select max(created_at) as at from drizzle.__drizzle_migrations`;
    for (const { sql, hash, folderMillis } of readMigrationFiles({ migrationsFolder: folder })) {
      if (last?.at && Number(last.at) >= folderMillis) continue;
      const record = (on: Pick<Sql, 'unsafe'>) =>
        on.unsafe('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [hash, folderMillis]);
      if (sql[0]?.startsWith(withoutTransaction)) {
        for (const statement of sql) await runAlone(client, statement);
        await record(client);
      } else {
        await retryWhileLocked(() =>
          client.begin(async (tx) => {
            await tx.unsafe(`set local lock_timeout = ${lockTimeoutMs}`);
            for (const statement of sql) await tx.unsafe(statement);
            await record(tx);
          }),
        );
      }
    }
    await analyzeTables(client);
  } finally {
    await client.end({ timeout: 5 });
  }
}

/** Collects the statistics of tables that have none, as after pg_upgrade or a restored dump (0002_custom.sql). */
async function analyzeTables(client: Sql): Promise<void> {
  const [found] = await client<{ name: string | null }[]>`
    select to_regprocedure('restoring.analyze_tables(boolean)')::text as name`;
  if (found?.name) await client`select restoring.analyze_tables()`;
}

async function tryLock(client: Sql): Promise<boolean> {
  const [row] = await client<{ locked: boolean }[]>`
    select pg_try_advisory_lock(${advisoryLock('migration')}) as locked`;
  return row?.locked === true;
}

/**
 * Runs a statement outside of a transaction. An interrupted `CREATE INDEX CONCURRENTLY` leaves an invalid index, which
 * `IF NOT EXISTS` would accept: it is dropped first.
 */
async function runAlone(client: Sql, statement: string): Promise<void> {
  const name = /create (?:unique )?index concurrently if not exists "?(\w+)/i.exec(statement)?.[1];
  if (name) {
    const invalid = await client<{ index: string }[]>`
      select indexrelid::regclass::text as index from pg_index join pg_class on pg_class.oid = indexrelid
      where relname = ${name} and not indisvalid`;
    for (const { index } of invalid) await client.unsafe(`drop index concurrently ${index}`);
  }
  await client.unsafe(statement);
}

async function retryWhileLocked(run: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await run();
      return;
    } catch (thrown) {
      const isLocked = thrown instanceof Error && 'code' in thrown && thrown.code === lockNotAvailable;
      if (!isLocked || attempt === maxAttempts) throw thrown;
      await setTimeout(1_000);
    }
  }
}
