import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { migrateDatabase } from '@/db/migrate';
import { startPostgres } from '@/scripts/postgres/start';
import { createTempFolder } from '@/scripts/testing/temp-folder';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The migrated database that the database of each test file is copied from; `adminUrl` connects as its owner. */
    template: { name: string; adminUrl: string; appUrl: string };
  }
}

const folder = join(import.meta.dirname, '../../db');
/** Advisory locks: held while a run starts, and shared by all runs that use the server. */
const startLock = 724_534_001;
const runLock = 724_534_002;

/**
 * Provides the template on the server of TEST_DATABASE_ADMIN_URL and TEST_DATABASE_APP_URL (`npm test` sets them), or on
 * a temporary server. A template of the same migrations is reused.
 */
export default async function provideTemplate(project: TestProject): Promise<() => Promise<void>> {
  const server = await findServer();
  const name = `template_${hashMigrations()}`;
  // The locks belong to this connection.
  const admin = postgres(server.adminUrl, { max: 1, max_lifetime: null, onnotice: () => undefined });
  await admin`select pg_advisory_lock(${startLock})`;
  await dropLeftovers(admin, name);
  await admin`select pg_advisory_lock_shared(${runLock})`;
  const [found] = await admin`select from pg_database where datname = ${name}`;
  if (!found) await createTemplate(admin, server.adminUrl, name);
  await admin`select pg_advisory_unlock(${startLock})`;
  project.provide('template', { name, adminUrl: server.adminUrl, appUrl: server.appUrl });
  return async () => {
    await admin.end();
    await server.stop();
  };
}

function hashMigrations(): string {
  const migrations = readdirSync(join(folder, 'migrations')).filter((file) => file.endsWith('.sql'));
  const hash = createHash('sha256');
  for (const file of ['migrate.ts', ...migrations.sort().map((name) => join('migrations', name))]) {
    hash.update(readFileSync(join(folder, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Drops other templates, and databases that a killed run left, unless another run uses the server. */
async function dropLeftovers(admin: postgres.Sql, name: string): Promise<void> {
  const [lock] = await admin<{ isAlone: boolean }[]>`select pg_try_advisory_lock(${runLock}) as "isAlone"`;
  if (!lock?.isAlone) return;
  const leftovers = await admin<{ datname: string }[]>`
    select datname from pg_database where datname ~ '^(template|test)_[0-9a-f]{16}' and datname <> ${name}`;
  for (const { datname } of leftovers) await admin.unsafe(`drop database ${datname} with (force)`);
  await admin`select pg_advisory_unlock(${runLock})`;
}

/** Migrates under another name, so that the template of an interrupted run is not used. */
async function createTemplate(admin: postgres.Sql, adminUrl: string, name: string): Promise<void> {
  const unfinished = `${name}_unfinished`;
  await admin.unsafe(`drop database if exists ${unfinished} with (force)`);
  await admin.unsafe(`create database ${unfinished}`);
  const url = new URL(adminUrl);
  url.pathname = `/${unfinished}`;
  await migrateDatabase(url.href);
  // A template with a connection, e.g. of autovacuum, cannot be copied.
  await admin.unsafe(`alter database ${unfinished} allow_connections false`);
  await admin.unsafe(`alter database ${unfinished} rename to ${name}`);
}

async function findServer(): Promise<{ adminUrl: string; appUrl: string; stop: () => Promise<void> }> {
  const { TEST_DATABASE_ADMIN_URL: adminUrl, TEST_DATABASE_APP_URL: appUrl } = process.env;
  if (adminUrl && appUrl) return { adminUrl, appUrl, stop: async () => undefined };
  const temporary = createTempFolder('linkmarket-domain-');
  const server = await startPostgres(join(temporary, 'data'), { durable: false });
  const urls = { TEST_DATABASE_ADMIN_URL: server.adminUrl, TEST_DATABASE_APP_URL: server.appUrl };
  // For the other project of the run.
  Object.assign(process.env, urls);
  const stop = async () => {
    for (const key of Object.keys(urls)) delete process.env[key];
    await server.stop();
    rmSync(temporary, { recursive: true, force: true });
  };
  return { adminUrl: server.adminUrl, appUrl: server.appUrl, stop };
}
