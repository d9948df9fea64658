import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { migrateDatabase } from '@/db/migrate';
import { startChild } from '../../scripts/process/child';
import { pickFreePort } from '../../scripts/process/ports';
import { waitForHttp } from '../../scripts/process/wait-for-http';

const holder: typeof globalThis & { linkmarketSql?: postgres.Sql } = globalThis;

/**
 * Another installation beside the one of the tests: the built app as a process of its own, with its own database and
 * its own files. For what changes everything, as a restore does. Inside `run`, whatever asks for the database gets the
 * new one's.
 */
export async function startSecondInstallation() {
  const { MIGRATION_DATABASE_URL: ownerUrl, DATABASE_URL: appUrl } = process.env;
  if (!ownerUrl || !appUrl) throw new Error('There is no database: run these tests with npm test -- e2e');
  const name = `second_${randomBytes(8).toString('hex')}`;
  const inside = (url: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  const folder = mkdtempSync(join(tmpdir(), 'linkmarket-second-'));
  const admin = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  await admin.unsafe(`create database ${name}`);
  await migrateDatabase(inside(ownerUrl));
  const port = await pickFreePort();
  const origin = `http://localhost:${port}`;
  const app = startChild({
    name: 'second app',
    args: ['node_modules/next/dist/bin/next', 'start', '-p', String(port)],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      APP_URL: origin,
      DATABASE_URL: inside(appUrl),
      MIGRATION_DATABASE_URL: inside(ownerUrl),
      DATA_DIR: folder,
    },
  });
  const pool = postgres(inside(appUrl), { max: 5, onnotice: () => undefined });
  const close = async () => {
    await app.stop();
    await pool.end({ timeout: 5 });
    await admin.unsafe(`drop database ${name} with (force)`);
    await admin.end();
    rmSync(folder, { recursive: true, force: true });
  };
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    const first = holder.linkmarketSql;
    holder.linkmarketSql = pool;
    try {
      return await work();
    } finally {
      holder.linkmarketSql = first;
    }
  };
  try {
    await waitForHttp(`${origin}/admin/login`, app);
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return { origin, run, close };
}
