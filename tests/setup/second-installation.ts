import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import postgres from 'postgres';
import { z } from 'zod';
import { runOnPool } from './run-on-pool';

const ready = z.object({ origin: z.url(), databaseUrl: z.url() });

/**
 * A second installation for a test file: the built app as a separate process, with its own database and files. For
 * tests that change the whole installation, such as a restore. Inside `run`, the app's code uses the new database.
 */
export async function startSecondInstallation() {
  const command = ['--import', 'tsx', 'tests/setup/run-second-installation.ts'];
  const installation = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(installation, 'exit');
  const { origin, databaseUrl } = ready.parse(await firstLine(installation.stdout, ended));
  const name = new URL(databaseUrl).pathname.slice(1);
  const pool = postgres(databaseUrl, { max: 5, onnotice: () => undefined });
  const run = <T>(work: () => Promise<T>): Promise<T> => runOnPool(pool, work);
  /** Writes to the database directly, as the owner of the tables. */
  const asOwner = async (write: (sql: postgres.Sql) => Promise<unknown>): Promise<void> => {
    const inside = Object.assign(new URL(process.env.MIGRATION_DATABASE_URL ?? ''), { pathname: `/${name}` });
    const sql = postgres(inside.href, { max: 1, onnotice: () => undefined });
    await write(sql);
    await sql.end();
  };
  /** Disconnects the app and rejects its connections until `reopenDatabase`. The owner is exempt from the limit. */
  const closeDatabase = (sparedPid = 0) =>
    asOwner(async (sql) => {
      await sql.unsafe(`alter database ${name} connection limit 0`);
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = ${name} and pid not in (pg_backend_pid(), ${sparedPid})`;
    });
  /**
   * Disconnects the app while a query of `table` waits for a lock, after `begin` has resolved. `begin` must cause the
   * query within 20 seconds.
   */
  const closeDatabaseDuring = (table: string, begin: () => Promise<unknown>) =>
    asOwner((sql) =>
      sql.begin(async (tx) => {
        await tx.unsafe(`lock table ${table} in access exclusive mode`);
        const begun = begin();
        const deadline = Date.now() + 20_000;
        for (;;) {
          // Polls with a pause, to leave the server capacity.
          const [row] = await tx<{ own: number; isWaitedFor: boolean }[]>`
            select pg_backend_pid() as own, pg_sleep(0.02), exists (
              select from pg_locks where relation = ${table}::regclass and not granted
            ) as "isWaitedFor"`;
          if (row?.isWaitedFor) return begun.then(() => closeDatabase(row.own));
          if (Date.now() > deadline) throw new Error(`No statement waits for ${table}.`);
        }
      }),
    );
  const reopenDatabase = () => asOwner((sql) => sql.unsafe(`alter database ${name} connection limit -1`));
  const close = async () => {
    await pool.end({ timeout: 5 });
    installation.kill();
    await ended;
  };
  return { origin, run, asOwner, closeDatabase, closeDatabaseDuring, reopenDatabase, close };
}

/** @throws Error when the process ended before it printed a line; its own output shows the cause. */
async function firstLine(output: NodeJS.ReadableStream, ended: Promise<unknown>): Promise<unknown> {
  const lines = createInterface({ input: output });
  const line = await Promise.race([once(lines, 'line'), ended.then(() => undefined)]);
  if (!line) throw new Error('The second installation did not start.');
  return JSON.parse(String(line[0]));
}
