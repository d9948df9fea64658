import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import postgres from 'postgres';
import { z } from 'zod';

const holder: typeof globalThis & { linkmarketSql?: postgres.Sql } = globalThis;
const ready = z.object({ origin: z.url(), databaseUrl: z.url() });

/**
 * Another installation beside the one of the tests: the built app as a process of its own, with its own database and
 * its own files. For what changes everything, as a restore does. Inside `run`, whatever asks for the database gets the
 * new one's.
 */
export async function startSecondInstallation() {
  const command = ['--import', 'tsx', 'tests/setup/run-second-installation.ts'];
  const installation = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(installation, 'exit');
  const { origin, databaseUrl } = ready.parse(await firstLine(installation.stdout, ended));
  const name = new URL(databaseUrl).pathname.slice(1);
  const pool = postgres(databaseUrl, { max: 5, onnotice: () => undefined });
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    const first = holder.linkmarketSql;
    holder.linkmarketSql = pool;
    try {
      return await work();
    } finally {
      holder.linkmarketSql = first;
    }
  };
  /** Writes past the app, as only the owner of the tables can. */
  const asOwner = async (write: (sql: postgres.Sql) => Promise<unknown>): Promise<void> => {
    const inside = Object.assign(new URL(process.env.MIGRATION_DATABASE_URL ?? ''), { pathname: `/${name}` });
    const sql = postgres(inside.href, { max: 1, onnotice: () => undefined });
    await write(sql);
    await sql.end();
  };
  /** Cuts off the app and lets it in no more, until `bringDatabaseBack`. The owner is exempt from the limit. */
  const takeDatabaseAway = () =>
    asOwner(async (sql) => {
      await sql.unsafe(`alter database ${name} connection limit 0`);
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = ${name} and pid <> pg_backend_pid()`;
    });
  const bringDatabaseBack = () => asOwner((sql) => sql.unsafe(`alter database ${name} connection limit -1`));
  const close = async () => {
    await pool.end({ timeout: 5 });
    installation.kill();
    await ended;
  };
  return { origin, run, asOwner, takeDatabaseAway, bringDatabaseBack, close };
}

/** @throws Error when the process ended before it printed one; its own output says why. */
async function firstLine(output: NodeJS.ReadableStream, ended: Promise<unknown>): Promise<unknown> {
  const lines = createInterface({ input: output });
  const line = await Promise.race([once(lines, 'line'), ended.then(() => undefined)]);
  if (!line) throw new Error('The second installation did not start.');
  return JSON.parse(String(line[0]));
}
