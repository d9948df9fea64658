import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** The account of the server process, when it differs from the current user. */
export type Account = { uid: number; gid: number };

/**
 * Finds the account of the server. PostgreSQL refuses to run as root. Then it runs as `postgres` or, without that
 * account, as the system's unprivileged user.
 * @returns undefined when this process is not root: the server runs as the same user
 */
export function findServerAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':');
    const [uid, gid] = [Number(fields?.[2]), Number(fields?.[3])];
    if (fields && Number.isInteger(uid) && Number.isInteger(gid)) return { uid, gid };
  }
  throw new Error('PostgreSQL cannot run as root, and this machine has neither an account postgres nor nobody.');
}

/** Checks whether the account can read a path, including every parent folder. */
export function canAccess(path: string, account: Account): boolean {
  const test = spawnSync('/bin/sh', ['-c', 'test -r "$1" && test -x "$1"', 'sh', path], { ...account, cwd: '/' });
  return test.status === 0;
}

/**
 * Returns the folder for files that another account must access: /var/tmp, which survives a restart, or the system's
 * temporary folder.
 */
export function getPersistentTempDir(): string {
  return existsSync('/var/tmp') ? '/var/tmp' : tmpdir();
}
