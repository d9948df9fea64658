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
  const close = async () => {
    await pool.end({ timeout: 5 });
    installation.kill();
    await ended;
  };
  return { origin, run, close };
}

/** @throws Error when the process ended before it printed one; its own output says why. */
async function firstLine(output: NodeJS.ReadableStream, ended: Promise<unknown>): Promise<unknown> {
  const lines = createInterface({ input: output });
  const line = await Promise.race([once(lines, 'line'), ended.then(() => undefined)]);
  if (!line) throw new Error('The second installation did not start.');
  return JSON.parse(String(line[0]));
}
