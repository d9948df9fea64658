import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { ensureBuild } from '@/scripts/build/ensure-build';
import { startChild, tsxArgs } from '@/scripts/process/child';
import type { Lifetime } from '@/scripts/process/lifetime';
import { withLock } from '@/scripts/process/lock';
import { pickFreePort } from '@/scripts/process/ports';
import { projectRoot } from '@/scripts/process/root';
import { waitForHttp } from '@/scripts/process/wait-for-http';

const nextBin = join(projectRoot, 'node_modules/next/dist/bin/next');
const bareFolder = join(projectRoot, 'tests/bench/bare-next');

/** The secret of /api/jobs/run in the measured app. */
export const cronSecret = randomBytes(24).toString('base64url');

/** A measured server, with the headers of its requests. */
export type BenchTarget = {
  origin: string;
  headers: Record<string, string>;
  pid: number;
  /** Time from its start to its first response. */
  firstResponseMs: number;
  stop: () => Promise<void>;
};

/** Builds the app and the bare Next.js app of the comparison, unless they are built. Concurrent runs build once. */
export async function buildTargets(lifetime: Lifetime): Promise<void> {
  await ensureBuild(lifetime, (line) => process.stdout.write(`build | ${line}\n`));
  await withLock(join(projectRoot, 'node_modules', '.cache', 'linkmarket-bare-build.lock'), () => buildBare(lifetime));
}

async function buildBare(lifetime: Lifetime): Promise<void> {
  const marker = join(bareFolder, '.next', 'source-hash');
  const hash = createHash('sha256').update(readFileSync(join(projectRoot, 'package-lock.json')));
  for (const entry of readdirSync(bareFolder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !path.includes(join(bareFolder, '.next'))) hash.update(path).update(readFileSync(path));
  }
  const sources = hash.digest('hex');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === sources) return;
  const args = [nextBin, 'build', bareFolder];
  const build = startChild({ name: 'bare build', args, env: { NODE_ENV: 'production' } });
  await lifetime.own(Promise.resolve(build), (child) => child.stop());
  await build.exited;
  if (build.exitCode() !== 0) throw new Error(`The bare app could not be built:\n${build.tail()}`);
  writeFileSync(marker, sources);
}

/**
 * Starts LinkMarket as in production, with a signed-in user, by default a buyer.
 * @param cacheMb 0: every response is read from the database
 * @param firstPath path of the first request
 * @param processes runs it by `npm start` with this WEB_CONCURRENCY
 */
export async function startLinkMarket(
  lifetime: Lifetime,
  database: { adminUrl: string; appUrl: string },
  cacheMb: number,
  {
    role = 'User',
    firstPath = '/user/login',
    processes,
  }: { role?: 'User' | 'Admin'; firstPath?: string; processes?: number } = {},
): Promise<BenchTarget> {
  const port = await pickFreePort();
  const env = {
    PORT: String(port),
    APP_URL: `http://localhost:${port}`,
    DATABASE_URL: database.appUrl,
    DATABASE_POOL_MAX: '10',
    CATALOGUE_CACHE_MB: String(cacheMb),
    JOBS: 'off',
    CRON_SECRET: cronSecret,
    NODE_ENV: 'production',
    ...(processes && { WEB_CONCURRENCY: String(processes), MIGRATION_DATABASE_URL: database.adminUrl }),
  };
  const cookie = `linkmarket.session.${port}=${await createSession(database.adminUrl, role)}`;
  const args = processes ? tsxArgs('scripts/start.ts') : [nextBin, 'start', '-p', String(port)];
  const origin = `http://127.0.0.1:${port}`;
  return { origin, headers: { cookie }, ...(await start(lifetime, `${origin}${firstPath}`, 'LinkMarket', args, env)) };
}

/**
 * Starts an empty Next.js app, or node:http without Next.js, both with postgres.js.
 * @param firstPath path of the first request
 */
export async function startBare(
  lifetime: Lifetime,
  kind: 'next' | 'node',
  database: { appUrl: string },
  folder: string,
  statements: unknown,
  firstPath = '/sql/Q1',
): Promise<BenchTarget> {
  const port = await pickFreePort();
  const file = join(folder, `statements-${port}.json`);
  writeFileSync(file, JSON.stringify(statements));
  const args =
    kind === 'next'
      ? [nextBin, 'start', bareFolder, '-p', String(port)]
      : [join(projectRoot, 'tests/bench/bare-node.mjs')];
  const env = { PORT: String(port), DATABASE_URL: database.appUrl, BENCH_STATEMENTS: file, NODE_ENV: 'production' };
  const origin = `http://127.0.0.1:${port}`;
  return { origin, headers: {}, ...(await start(lifetime, `${origin}${firstPath}`, `bare ${kind}`, args, env)) };
}

async function start(
  lifetime: Lifetime,
  firstAddress: string,
  name: string,
  args: string[],
  env: Record<string, string>,
): Promise<Omit<BenchTarget, 'origin' | 'headers'>> {
  const begin = performance.now();
  const child = startChild({ name, args, env });
  await lifetime.own(Promise.resolve(child), (running) => running.stop());
  await waitForHttp(firstAddress, child);
  return { pid: child.pid, firstResponseMs: performance.now() - begin, stop: child.stop };
}

/**
 * Creates a session in the database, because the sign-in is not measured.
 * @param user a role, for a new user, or the id of an existing one
 * @returns the session's token
 */
export async function createSession(adminUrl: string, user: 'User' | 'Admin' | { id: string }): Promise<string> {
  const { encodeSessionToken } = await import('@/lib/auth/session-token');
  const { newId } = await import('@/lib/ids');
  const [userId, sessionId] = [typeof user === 'string' ? newId() : user.id, newId()];
  const sql = postgres(adminUrl, { max: 1, onnotice: () => undefined });
  try {
    if (typeof user === 'string')
      await sql`insert into users (id, email, name, password_hash, status, role)
        values (${userId}, ${`${userId}@example.com`}, 'Bench person', 'none', 'Active', ${user})`;
    await sql`insert into sessions (id, user_id, expires_at) values (${sessionId}, ${userId}, now() + interval '1 day')`;
  } finally {
    await sql.end();
  }
  return encodeSessionToken(userId, sessionId, 86_400);
}

/** The demo's accounts by portal. */
export const demoAccounts = {
  user: 'buyer@example.com',
  seller: 'seller@example.com',
  admin: 'admin@example.com',
} as const;

/** Signs in to a portal of an app with the demo's data. @returns the session cookie */
export async function signIn(origin: string, portal: keyof typeof demoAccounts): Promise<string> {
  const response = await fetch(`${origin}/api/${portal}/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: origin },
    body: JSON.stringify({ email: demoAccounts[portal], password: 'DemoPassw0rd!' }),
  });
  if (!response.ok) throw new Error(`Signing in to ${portal} returned ${response.status}.`);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}
