import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { migrateDatabase } from '@/db/migrate';
import { startPostgres } from '../postgres/start';
import type { Lifetime } from '../process/lifetime';

export type BenchServer = {
  /** A temporary folder, removed at the end. */
  folder: string;
  adminUrl: string;
  appUrl: string;
  /** Makes another migrated database on it. */
  addDatabase(name: string): Promise<{ adminUrl: string; appUrl: string }>;
};

/** A PostgreSQL server of the benchmark's own, migrated, and the environment in which the app uses it. */
export async function startBenchServer(lifetime: Lifetime): Promise<BenchServer> {
  const folder = mkdtempSync(join(tmpdir(), 'linkmarket-bench-'));
  await lifetime.own(Promise.resolve(folder), (path) => rmSync(path, { recursive: true, force: true }));
  const { adminUrl, appUrl } = await lifetime.own(startPostgres(folder), (server) => server.stop());
  await migrateDatabase(adminUrl);
  Object.assign(process.env, {
    APP_ENV: 'test',
    DATABASE_URL: appUrl,
    MIGRATION_DATABASE_URL: adminUrl,
    DATABASE_POOL_MAX: '32',
    DATA_DIR: folder,
    NEXTAUTH_SECRET: randomBytes(32).toString('base64url'),
    SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  });
  const addDatabase = async (name: string) => {
    const sql = postgres(adminUrl, { max: 1, onnotice: () => undefined });
    await sql.unsafe(`create database ${name}`).finally(() => sql.end());
    const urls = { adminUrl: inDatabase(adminUrl, name), appUrl: inDatabase(appUrl, name) };
    await migrateDatabase(urls.adminUrl);
    return urls;
  };
  return { folder, adminUrl, appUrl, addDatabase };
}

function inDatabase(url: string, name: string): string {
  const own = new URL(url);
  own.pathname = `/${name}`;
  return own.href;
}
