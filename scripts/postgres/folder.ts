import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeOnce } from '../process/write-once';
import { type Account, canReach, persistentTemp } from './account';

/** Where one server keeps its things. */
export type PostgresFolder = {
  /** The lock that launchers and supervisors take turns with. */
  lock: string;
  /** One file for each run that uses the server; the last one out stops it. */
  users: string;
  /** Passwords, readable by the owner only. */
  credentials: string;
  /** The port of the last start, kept when it is still free. */
  port: string;
  /** The database cluster itself (`PGDATA`). */
  cluster: string;
};

/**
 * The folder of the server that belongs to a data directory: `<dataDir>/postgres`. When root starts it under a path
 * that the server's account may not enter (/root, a private home), it is a folder of random name under /var/tmp
 * instead; `<dataDir>/postgres-folder` then says which. The caller holds no lock yet, so this must be safe to race.
 */
export function postgresFolder(dataDir: string, account: Account | undefined): PostgresFolder {
  const data = resolve(dataDir);
  // The server's account must be able to pass through, not to look around.
  makeFolder(data, 0o711);
  const inside = join(data, 'postgres');
  makeFolder(inside, 0o755);
  if (!account || canReach(inside, account)) return folderAt(inside);
  return folderAt(elsewhere(join(data, 'postgres-folder')));
}

function elsewhere(pointer: string): string {
  const base = writeOnce(pointer, join(persistentTemp(), `linkmarket-${randomBytes(8).toString('hex')}`)).trim();
  makeFolder(base, 0o711);
  return base;
}

/** The mode is set by hand, because a strict umask would take it away. */
function makeFolder(path: string, mode: number): void {
  if (existsSync(path)) return;
  mkdirSync(path, { recursive: true });
  chmodSync(path, mode);
}

function folderAt(base: string): PostgresFolder {
  const users = join(base, 'users');
  makeFolder(users, 0o700);
  return {
    lock: join(base, 'launch.lock'),
    users,
    credentials: join(base, 'credentials.json'),
    port: join(base, 'port'),
    cluster: join(base, 'cluster'),
  };
}
