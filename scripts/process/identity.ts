import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Names a process so that a number given again to another process is not taken for it: `pid@start`.
 * The start is what the system reports (clock ticks on Linux, a date on macOS); empty when it cannot be read.
 */
export function identityOf(pid: number): string {
  return `${pid}@${startOf(pid)}`;
}

/** Whether the process that `identityOf` named still runs. */
export function isAlive(identity: string): boolean {
  const pid = Number(identity.split('@')[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !pidExists(pid)) return false;
  return identityOf(pid) === identity.trim();
}

/** The command a process runs, e.g. `postgres`; undefined when there is no such process or it has ended. */
export function commandOf(pid: number): string | undefined {
  if (startOf(pid) === 'ended') return undefined;
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
    return execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('/')
      .pop();
  } catch {
    return undefined;
  }
}

function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function startOf(pid: number): string {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The command name stands in brackets and may hold spaces; field 22 is the start, 20 after the brackets.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // A zombie has ended; only its parent has not asked yet.
      return fields[0] === 'Z' ? 'ended' : (fields[19] ?? '');
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}
