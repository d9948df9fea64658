import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { migrateDatabase } from '@/db/migrate';
import { startPostgres } from '@/scripts/postgres/start';
import type { Lifetime } from '@/scripts/process/lifetime';

export type BenchServer = {
  /** A temporary folder, deleted at the end. */
  folder: string;
  adminUrl: string;
  appUrl: string;
  /** Creates another migrated database on the server, unless a kept folder has it. */
  addDatabase(name: string): Promise<{ adminUrl: string; appUrl: string }>;
};

/**
 * Starts a separate, migrated PostgreSQL server and sets the app's environment. BENCH_DATABASE_URL, with a superuser,
 * selects another server: the bundled binaries are compiled for size, and the ratio of statements to a bare UPDATE
 * depends on the compiler. BENCH_DATA_DIR keeps the server's folder and its databases for the next run.
 */
export async function startBenchServer(lifetime: Lifetime): Promise<BenchServer> {
  const { BENCH_DATABASE_URL: ownServer, BENCH_DATA_DIR: keptFolder } = process.env;
  const folder = keptFolder || mkdtempSync(join(tmpdir(), 'linkmarket-bench-'));
  if (!keptFolder) {
    await lifetime.own(Promise.resolve(folder), (path) => rmSync(path, { recursive: true, force: true }));
  }
  const { adminUrl, appUrl } = ownServer
    ? await lifetime.own(createDatabase(ownServer), (made) => made.drop())
    : await lifetime.own(startPostgres(folder), (server) => server.stop());
  await migrateDatabase(adminUrl);
  Object.assign(process.env, {
    APP_ENV: 'test',
    DATABASE_URL: appUrl,
    MIGRATION_DATABASE_URL: adminUrl,
    DATABASE_POOL_MAX: '32',
    DATA_DIR: folder,
    NEXTAUTH_SECRET: randomBytes(32).toString('base64url'),
    SECRET_KEYS: readOrCreateKey(folder),
  });
  const addDatabase = async (name: string) => {
    const sql = postgres(adminUrl, { max: 1, onnotice: () => undefined });
    const [existing] = await sql`select from pg_database where datname = ${name}`;
    if (!existing) await sql.unsafe(`create database ${name}`);
    await sql.end();
    const urls = { adminUrl: withDatabase(adminUrl, name), appUrl: withDatabase(appUrl, name) };
    await migrateDatabase(urls.adminUrl);
    return urls;
  };
  return { folder, adminUrl, appUrl, addDatabase };
}

/** Returns the SECRET_KEYS of a folder: kept databases hold data that is signed with them. */
function readOrCreateKey(folder: string): string {
  const path = join(folder, 'secret-keys');
  if (!existsSync(path)) writeFileSync(path, `k1:${randomBytes(32).toString('base64')}`, { mode: 0o600 });
  return readFileSync(path, 'utf8');
}

/** Creates a database and a role with the app's privileges on an existing server; both are dropped at the end. */
async function createDatabase(
  server: string,
): Promise<{ adminUrl: string; appUrl: string; drop: () => Promise<void> }> {
  const [name, password] = [`linkmarket_bench_${randomBytes(4).toString('hex')}`, randomBytes(24).toString('hex')];
  const sql = postgres(server, { max: 1, onnotice: () => undefined });
  await sql.unsafe(`do $$ begin
    if not exists (select from pg_roles where rolname = 'linkmarket_app') then create role linkmarket_app nologin; end if;
  end $$`);
  await sql.unsafe(`create role ${name} login password '${password}' in role linkmarket_app`);
  await sql.unsafe(`create database ${name}`);
  const adminUrl = withDatabase(server, name);
  const app = new URL(adminUrl);
  Object.assign(app, { username: name, password });
  const drop = async () => {
    await sql.unsafe(`drop database ${name} with (force)`);
    await sql.unsafe(`drop role ${name}`);
    await sql.end();
  };
  return { adminUrl, appUrl: app.href, drop };
}

function withDatabase(url: string, name: string): string {
  const own = new URL(url);
  own.pathname = `/${name}`;
  return own.href;
}
