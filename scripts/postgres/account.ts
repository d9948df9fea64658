import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Who the server runs as, when that is not the one who starts it. */
export type Account = { uid: number; gid: number };

/**
 * PostgreSQL refuses to run as root; then it runs as `postgres` or, on a machine without that account, as `nobody`.
 * @returns undefined when this process is not root: the server runs as the same user
 */
export function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':');
    const [uid, gid] = [Number(fields?.[2]), Number(fields?.[3])];
    if (fields && Number.isInteger(uid) && Number.isInteger(gid)) return { uid, gid };
  }
  throw new Error('PostgreSQL cannot run as root, and this machine has neither an account postgres nor nobody.');
}

/** Whether that account may read a path, every folder above it included. */
export function canReach(path: string, account: Account): boolean {
  const test = spawnSync('/bin/sh', ['-c', 'test -r "$1" && test -x "$1"', 'sh', path], { ...account, cwd: '/' });
  return test.status === 0;
}

/** Where files go that another account must reach: /var/tmp, which outlives a restart, or the system's own. */
export function persistentTemp(): string {
  return existsSync('/var/tmp') ? '/var/tmp' : tmpdir();
}
