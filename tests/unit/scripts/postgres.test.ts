import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { afterAll, expect, test } from 'vitest';
import { startPostgres } from '@/scripts/postgres/start';
import { withLock } from '@/scripts/process/lock';
import { createTempFolder } from '@/scripts/testing/temp-folder';

// The first test creates the cluster, and the others start its server.
const folder = createTempFolder('linkmarket-launcher-');
const dataDir = join(folder, 'data');

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const postmaster = () => existsSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'));
const drafts = () => readdirSync(join(dataDir, 'postgres')).filter((name) => name.startsWith('cluster-'));

/** A launcher in its own process; resolves with the app's URL once the server is ready. */
function launch(): { child: ChildProcess; url: Promise<string> } {
  const holder = join(import.meta.dirname, 'hold-postgres.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', holder, dataDir], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const url = new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve(String(message)));
    child.once('exit', () => reject(new Error('The launcher ended before the server answered')));
  });
  return { child, url };
}

async function eventually(check: () => boolean): Promise<boolean> {
  for (const deadline = Date.now() + 15_000; Date.now() < deadline; await sleep(50)) if (check()) return true;
  return false;
}

test('concurrent launchers share one server, and the last one stops it', { timeout: 60_000 }, async () => {
  const servers = await Promise.all([1, 2, 3, 4].map(() => startPostgres(dataDir, { durable: false })));
  expect(new Set(servers.map(({ adminUrl }) => adminUrl)).size).toBe(1);
  expect(drafts()).toEqual([]);
  for (const server of servers.slice(1)) await server.stop();
  expect(postmaster()).toBe(true);
  await servers[0]?.stop();
  expect(postmaster()).toBe(false);
});

test("the app's role owns nothing and is no superuser", { timeout: 60_000 }, async () => {
  const server = await startPostgres(dataDir, { durable: false });
  const sql = postgres(server.appUrl, { max: 1 });
  try {
    const [role] =
      await sql`select rolsuper, rolcreatedb, rolcreaterole, pg_has_role('linkmarket_app', 'member') as member
      from pg_roles where rolname = current_user`;
    expect(role).toEqual({ rolsuper: false, rolcreatedb: false, rolcreaterole: false, member: true });
    await expect(sql`create table taken (id int)`).rejects.toThrow('permission denied');
  } finally {
    await sql.end();
    await server.stop();
  }
});

test('the supervisor stops the server of a killed run', { timeout: 60_000 }, async () => {
  const { child, url } = launch();
  await url;
  child.kill('SIGKILL');
  expect(await eventually(() => !postmaster())).toBe(true);
});

test('a run joins the server of a killed one, and keeps it running', { timeout: 60_000 }, async () => {
  const { child, url } = launch();
  const first = await url;
  const server = await startPostgres(dataDir, { durable: false });
  expect(server.appUrl).toBe(first);
  child.kill('SIGKILL');
  // The supervisor of the killed run releases the server in its name, and holds the lock meanwhile.
  expect(await eventually(() => readdirSync(join(dataDir, 'postgres', 'users')).length === 1)).toBe(true);
  await withLock(join(dataDir, 'postgres', 'launch.lock'), async () => undefined);
  const sql = postgres(server.appUrl, { max: 1 });
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  await sql.end();
  await server.stop();
  expect(postmaster()).toBe(false);
});

test('a lingering server serves the next run, and stops after the last one', { timeout: 60_000 }, async () => {
  const first = await startPostgres(dataDir, { durable: false, lingerMs: 600_000 });
  await first.stop();
  const users = join(dataDir, 'postgres', 'users');
  expect(await eventually(() => readdirSync(users).join().startsWith('lingers-'))).toBe(true);
  const second = await startPostgres(dataDir, { durable: false, lingerMs: 1 });
  expect(second.adminUrl).toBe(first.adminUrl);
  await second.stop();
  expect(await eventually(() => !existsSync(join(dataDir, 'postgres', 'cluster')))).toBe(true);
  expect(readdirSync(users)).toEqual([]);
});

test('runs below a folder that only its owner may enter', { timeout: 60_000 }, async () => {
  const closed = createTempFolder('linkmarket-launcher-');
  chmodSync(closed, 0o700);
  const server = await startPostgres(join(closed, 'data'), { durable: false });
  const sql = postgres(server.appUrl, { max: 1 });
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  await sql.end();
  await server.stop();
  // Started by root, it lives in another folder, which this file names.
  const pointer = join(closed, 'data', 'postgres-folder');
  if (existsSync(pointer)) rmSync(readFileSync(pointer, 'utf8'), { recursive: true });
  rmSync(closed, { recursive: true });
});
