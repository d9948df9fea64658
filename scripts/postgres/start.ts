import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { withLock } from '../process/lock';
import { projectRoot } from '../process/root';
import { writeOnce } from '../process/write-once';
import { serverAccount } from './account';
import { findBinaries } from './binaries';
import { createCluster } from './cluster';
import { type PostgresFolder, postgresFolder } from './folder';
import { ensureRoles } from './roles';
import { runningPort, type Server, startServer, stopServer } from './server';
import { enterUser, leaveUser } from './users';

export type Postgres = {
  /** The owner of the database: migrations and seeds. */
  adminUrl: string;
  /** The app's role, a member of `linkmarket_app`. */
  appUrl: string;
  /** Gives the server up; the last user stops it. Safe to call twice. */
  stop: () => Promise<void>;
};

const credentialsSchema = z.object({ adminPassword: z.string(), appPassword: z.string() });

/**
 * Starts the PostgreSQL server of a data directory, or joins the one that already runs, e.g. for another command or
 * because the one who started it was killed. Any number may call this at the same moment; all end on one server.
 * @param durable false for tests: faster, and the data may be lost when the machine loses power
 * @throws Error when there are no binaries for this platform, or the server does not start (with its last lines)
 */
export async function startPostgres(dataDir: string, { durable = true } = {}): Promise<Postgres> {
  const account = serverAccount();
  const folder = postgresFolder(dataDir, account);
  const server: Server = { cluster: folder.cluster, binaries: findBinaries(account), account };
  const { user, urls } = await withLock(folder.lock, async () => {
    const credentials = readCredentials(folder);
    await createCluster(folder.cluster, server.binaries, account, credentials.adminPassword);
    const port = runningPort(server) ?? (await startServer(server, folder.port, durable));
    return { urls: await ensureRoles(port, credentials), user: enterUser(folder.users) };
  });
  const supervisor = superviseFrom(folder, server, user);
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= leave(folder, server, user).finally(() => supervisor.kill('SIGKILL'));
    return stopping;
  };
  return { ...urls, stop };
}

/** Takes a user out and stops the server after the last one. Shared with the supervisor. */
export async function leave(
  folder: Pick<PostgresFolder, 'lock' | 'users'>,
  server: Server,
  user: string,
): Promise<void> {
  await withLock(folder.lock, async () => {
    if (leaveUser(folder.users, user) === 0) await stopServer(server);
  });
}

function readCredentials(folder: PostgresFolder): z.infer<typeof credentialsSchema> {
  const made = { adminPassword: randomBytes(24).toString('hex'), appPassword: randomBytes(24).toString('hex') };
  return credentialsSchema.parse(JSON.parse(writeOnce(folder.credentials, JSON.stringify(made))));
}

/** A small process that outlives this one by a moment: when this one is killed, it stops the server. */
function superviseFrom(folder: PostgresFolder, server: Server, user: string): ChildProcess {
  const script = join(dirname(import.meta.filename), 'supervisor.mjs');
  const job = JSON.stringify({ lock: folder.lock, users: folder.users, server, user });
  const child = spawn(process.execPath, [script, job], {
    cwd: projectRoot,
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.unref();
  child.channel?.unref();
  return child;
}
