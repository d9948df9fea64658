import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Returns `pid@start`, which distinguishes a process from a later one with the same pid. The start is what the system
 * reports (clock ticks on Linux, a date on macOS); empty when it cannot be read.
 */
export function getProcessIdentity(pid: number): string {
  return `${pid}@${getStartTime(pid)}`;
}

/** Checks whether the process of a `getProcessIdentity` result is still running. */
export function isAlive(identity: string): boolean {
  const pid = Number(identity.split('@')[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !pidExists(pid)) return false;
  return getProcessIdentity(pid) === identity.trim();
}

/** Returns the command of a process, e.g. `postgres`; undefined when it does not exist or has ended. */
export function getCommandName(pid: number): string | undefined {
  if (getStartTime(pid) === 'ended') return undefined;
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
    // EPERM: it exists and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function getStartTime(pid: number): string {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The command name is in parentheses and may contain spaces; field 22 is the start, the 20th after the
      // parentheses.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // A zombie has ended, but its parent has not read its status yet.
      return fields[0] === 'Z' ? 'ended' : (fields[19] ?? '');
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}
