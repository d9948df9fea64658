import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { z } from 'zod';
import { closeDb } from '@/db/client';
import { findServerAccount } from '@/scripts/postgres/account';
import { findBinaries } from '@/scripts/postgres/binaries';
import { postgresFolder } from '@/scripts/postgres/folder';
import { startServer, stopServer } from '@/scripts/postgres/server';
import { type Child, startChild, tsxArgs } from '@/scripts/process/child';
import type { Lifetime } from '@/scripts/process/lifetime';
import { pickFreePort } from '@/scripts/process/ports';
import { waitForHttp } from '@/scripts/process/wait-for-http';
import { shutdownTimeoutMs, startApp } from '@/scripts/services/app';
import { startServices } from '@/scripts/services/start-services';
import { createTempFolder } from '@/scripts/testing/temp-folder';

const lineSchema = z.looseObject({ level: z.string(), msg: z.string() });
export type LogLine = z.infer<typeof lineSchema>;

/**
 * A separate installation for a test file: a durable PostgreSQL, the sandbox gateway and the built app as processes
 * that can be stopped, killed and starved without an effect on other tests. It has no demo data. The test's own `db()`
 * reads the same database. The installation is removed after the file.
 */
export async function openInstallation() {
  const folder = createTempFolder('linkmarket-faults-');
  const dataDir = join(folder, 'data');
  const stops: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
  const lifetime: Lifetime = {
    own: async (started, stop) => {
      const thing = await started;
      stops.push(async () => stop(thing));
      return thing;
    },
    end: () => Promise.reject(new Error('A part of the installation ended by itself.')),
    onExit: () => undefined,
    onHangUp: () => undefined,
    isEnding: () => false,
  };
  afterAll(async () => {
    await closeDb();
    for (const stop of stops.reverse()) await stop();
  });

  const port = await pickFreePort();
  const appUrl = `http://127.0.0.1:${port}`;
  Object.assign(process.env, { APP_URL: appUrl, TEST_APP_URL: appUrl });
  // The installation generates its own.
  for (const name of ['DATABASE_URL', 'MIGRATION_DATABASE_URL', 'NEXTAUTH_SECRET', 'SECRET_KEYS'])
    delete process.env[name];
  const services = await startServices(lifetime, {
    appEnv: 'test',
    port,
    dataDir,
    durable: true,
    hasDemoData: false,
    say: () => undefined,
  });
  Object.assign(process.env, services.env);
  await services.seeded;

  const said: string[] = [];
  const account = findServerAccount();
  const postgresAt = postgresFolder(dataDir, account);
  const server = { cluster: postgresAt.cluster, binaries: findBinaries(account), account };
  return {
    appUrl,
    gatewayUrl: `http://127.0.0.1:${services.gatewayPort}`,
    dataDir,
    /** Starts the app at its address; the previous process must have ended. */
    startApp: (env: Record<string, string> = {}): Promise<Child> =>
      startApp(lifetime, 'start', { ...services.env, ...env }, (line) => said.push(line)),
    /** Runs `npm start` at its address, and waits until it responds. */
    startCommand: async (env: Record<string, string> = {}): Promise<Child> => {
      const child = startChild({
        name: 'npm start',
        args: tsxArgs('scripts/start.ts'),
        env: { ...services.env, LISTEN_ADDRESS: '127.0.0.1', ...env },
        killTimeoutMs: shutdownTimeoutMs + 5_000,
        onLine: (line) => said.push(line),
      });
      await lifetime.own(Promise.resolve(child), (running) => running.stop());
      await waitForHttp(`${appUrl}/api/health/live`, child, 120_000);
      return child;
    },
    stopPostgres: () => stopServer(server),
    startPostgres: () => startServer(server, postgresAt.port, true),
    /**
     * Suspends all processes of PostgreSQL: connections stay open, the kernel accepts new ones, and no request is
     * answered. @returns a function that resumes them
     */
    freezePostgres: () => freezeCluster(postgresAt.cluster),
    /** The app's complete output so far. */
    printed: () => said.join('\n'),
    /** The parsed log lines so far; throws for an invalid one. Skips the banner of Next.js, which precedes the log. */
    log: (): LogLine[] => said.filter((line) => line.startsWith('{')).map((line) => lineSchema.parse(JSON.parse(line))),
  };
}

/** Suspends all processes of a cluster. @returns a function that resumes them */
export function freezeCluster(cluster: string): () => void {
  const pids = stopPostmaster(cluster);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return () => {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  };
}

/** Kills all processes of a cluster with SIGKILL, as a power failure ends them. */
export function killCluster(cluster: string): void {
  for (const pid of stopPostmaster(cluster)) process.kill(pid, 'SIGKILL');
}

/**
 * Stops the postmaster, so that the list of its children stays complete: a stopped postmaster neither forks nor reaps.
 * @returns the pids of its children, and its own as the last one
 */
function stopPostmaster(cluster: string): number[] {
  const [first] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n', 1);
  process.kill(Number(first), 'SIGSTOP');
  while (!/^State:\s+T/m.test(readFileSync(`/proc/${first}/status`, 'utf8')));
  const children = readFileSync(`/proc/${first}/task/${first}/children`, 'utf8').trim().split(' ').map(Number);
  return [...children, Number(first)];
}

/** Kills a process with SIGKILL, as the kernel does when memory runs out. */
export async function killProcess(app: Child): Promise<void> {
  process.kill(-app.pid, 'SIGKILL');
  await app.exited;
}

export type Answered = { status: number; headers: Headers; body: string };

/** A client with a session; `status` 0 means no response. */
export async function signIn(appUrl: string, portal: 'user' | 'admin', email: string, password: string) {
  const origin = new URL(appUrl).origin;
  const send = async (path: string, init: RequestInit = {}): Promise<Answered> => {
    try {
      const response = await fetch(`${appUrl}${path}`, { redirect: 'manual', ...init });
      return { status: response.status, headers: response.headers, body: await response.text() };
    } catch (thrown) {
      // A TypeError is a network error of fetch; an undocumented response throws another error.
      if (!(thrown instanceof TypeError)) throw thrown;
      return { status: 0, headers: new Headers(), body: '' };
    }
  };
  const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
    method: 'POST',
    headers: { origin, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const answer = await send(`/api/${portal}/auth/login`, json({ email, password }));
  expect(answer.status).toBe(200);
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return {
    cookie,
    get: (path: string) => send(path, { headers: { cookie } }),
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      send(path, json(body, { cookie, ...headers })),
    /** Uploads one file as multipart/form-data. */
    upload: (path: string, name: string, content: Blob) => {
      const form = new FormData();
      form.append('file', content, name);
      return send(path, { method: 'POST', headers: { cookie, origin }, body: form });
    },
  };
}
