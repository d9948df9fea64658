import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { withLock } from '@/scripts/process/lock';
import { projectRoot } from '@/scripts/process/root';
import { writeOnce } from '@/scripts/process/write-once';
import { findServerAccount } from './account';
import { findBinaries } from './binaries';
import { createCluster } from './cluster';
import { type PostgresFolder, postgresFolder } from './folder';
import { ensureRoles } from './roles';
import { findRunningPort, type Server, startServer, stopServer } from './server';
import { registerLingerer, registerUser, unregisterUser } from './users';

export type Postgres = {
  /** The owner of the database: migrations and seeds. */
  adminUrl: string;
  /** The app's role, a member of `linkmarket_app`. */
  appUrl: string;
  /** Releases the server; the last user stops it, at once or after `lingerMs`. Safe to call twice. */
  stop: () => Promise<void>;
};

const credentialsSchema = z.object({ adminPassword: z.string(), appPassword: z.string() });

/**
 * Starts the PostgreSQL server of a data directory, or uses the one that is already running, e.g. for another command
 * or after its launcher was killed. Concurrent calls use one server.
 * @param durable false for tests: faster, but data may be lost on power loss
 * @param lingerMs how long the server runs after its last user, for the next one. Then its data is deleted.
 * @throws Error when this platform has no binaries, or the server does not start (with its last lines)
 */
export async function startPostgres(dataDir: string, { durable = true, lingerMs = 0 } = {}): Promise<Postgres> {
  const account = findServerAccount();
  const folder = postgresFolder(dataDir, account);
  const server: Server = { cluster: folder.cluster, binaries: findBinaries(account), account };
  const { user, urls } = await withLock(folder.lock, async () => {
    const credentials = readCredentials(folder);
    await createCluster(folder.cluster, server.binaries, account, credentials.adminPassword);
    const port = findRunningPort(server) ?? (await startServer(server, folder.port, durable));
    return { urls: await ensureRoles(port, credentials), user: registerUser(folder.users) };
  });
  const supervisor = startSupervisor({ lock: folder.lock, users: folder.users, server, user, lingerMs });
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    if (lingerMs > 0) {
      // The supervisor outlives this process and releases the server later.
      if (supervisor.connected) supervisor.disconnect();
      return;
    }
    stopping ??= releaseServer(folder, server, user).finally(() => supervisor.kill('SIGKILL'));
    await stopping;
  };
  return { ...urls, stop };
}

/** Unregisters a user and stops the server after the last one. Shared with the supervisor. */
export async function releaseServer(
  folder: Pick<PostgresFolder, 'lock' | 'users'>,
  server: Server,
  user: string,
): Promise<void> {
  await withLock(folder.lock, async () => {
    if (unregisterUser(folder.users, user) === 0) await stopServer(server);
  });
}

function readCredentials(folder: PostgresFolder): z.infer<typeof credentialsSchema> {
  const generated = { adminPassword: randomBytes(24).toString('hex'), appPassword: randomBytes(24).toString('hex') };
  return credentialsSchema.parse(JSON.parse(writeOnce(folder.credentials, JSON.stringify(generated))));
}

/**
 * Takes the place of `user` for `lingerMs`, unless another process does so later, and then releases the server and deletes
 * its data. Called by the supervisor.
 */
export async function lingerServer(
  folder: Pick<PostgresFolder, 'lock' | 'users'>,
  server: Server,
  user: string,
  lingerMs: number,
): Promise<void> {
  const own = await withLock(folder.lock, async () => {
    const successor = registerLingerer(folder.users);
    unregisterUser(folder.users, user);
    return successor;
  });
  await sleep(lingerMs);
  await withLock(folder.lock, async () => {
    if (unregisterUser(folder.users, own) > 0) return;
    await stopServer(server);
    rmSync(server.cluster, { recursive: true, force: true });
  });
}

/** Starts a process that releases the server when this process has ended without doing so. */
function startSupervisor(job: {
  lock: string;
  users: string;
  server: Server;
  user: string;
  lingerMs: number;
}): ChildProcess {
  const script = join(dirname(import.meta.filename), 'supervisor.mjs');
  const child = spawn(process.execPath, [script, JSON.stringify(job)], {
    cwd: projectRoot,
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.unref();
  child.channel?.unref();
  return child;
}
