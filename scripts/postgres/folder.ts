import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeOnce } from '@/scripts/process/write-once';
import { type Account, canAccess, getPersistentTempDir } from './account';

/** The files of a server. */
export type PostgresFolder = {
  /** Lock of launchers and supervisors. */
  lock: string;
  /** One file per run that uses the server; the last run stops it. */
  users: string;
  /** Passwords, readable by the owner only. */
  credentials: string;
  /** The last port, reused when it is free. */
  port: string;
  /** The database cluster itself (`PGDATA`). */
  cluster: string;
};

/**
 * Returns the folder of a data directory's server: `<dataDir>/postgres`. When root starts it under a path that the
 * server's account cannot access (/root, a private home), it is a folder with a random name under /var/tmp, which is
 * recorded in `<dataDir>/postgres-folder`. The caller holds no lock yet, so this must be safe for concurrent calls.
 */
export function postgresFolder(dataDir: string, account: Account | undefined): PostgresFolder {
  const data = resolve(dataDir);
  // The server's account must be able to traverse the folder, not to list it.
  createFolder(data, 0o711);
  const inside = join(data, 'postgres');
  createFolder(inside, 0o755);
  if (!account || canAccess(inside, account)) return folderAt(inside);
  return folderAt(createExternalFolder(join(data, 'postgres-folder')));
}

function createExternalFolder(pointer: string): string {
  const base = writeOnce(pointer, join(getPersistentTempDir(), `linkmarket-${randomBytes(8).toString('hex')}`)).trim();
  createFolder(base, 0o711);
  return base;
}

/** Creates a folder and sets its mode explicitly, because a strict umask would reduce it. */
function createFolder(path: string, mode: number): void {
  if (existsSync(path)) return;
  mkdirSync(path, { recursive: true });
  chmodSync(path, mode);
}

function folderAt(base: string): PostgresFolder {
  const users = join(base, 'users');
  createFolder(users, 0o700);
  return {
    lock: join(base, 'launch.lock'),
    users,
    credentials: join(base, 'credentials.json'),
    port: join(base, 'port'),
    cluster: join(base, 'cluster'),
  };
}
