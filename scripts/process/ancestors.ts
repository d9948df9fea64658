import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { getCommandName, getProcessIdentity } from './identity';

/**
 * Returns the identities of the processes between this one and the `npm run …` that started it (npm, its shell, tsx).
 * Empty when npm did not start it; `gone` when npm was killed before this process could check.
 */
export function findRunner(): string[] | 'gone' {
  if (!process.env.npm_lifecycle_event) return [];
  if (isOrphan()) return 'gone';
  const found: string[] = [];
  let pid = process.ppid;
  // npm → sh → tsx → this process; a shell may be missing, or one more may be in between.
  for (let step = 0; step < 5 && pid > 1; step += 1) {
    found.push(getProcessIdentity(pid));
    if (/^npm\b/.test(getCommandName(pid) ?? '')) return found;
    pid = getParentPid(pid);
  }
  return [];
}

/**
 * Checks whether this process is an orphan. npm's commands are its children (`exec`), so only an orphan has the system
 * as its parent, or npm in a container.
 */
function isOrphan(): boolean {
  const parent = getCommandName(process.ppid) ?? '';
  return parent === 'systemd' || (process.ppid === 1 && !/^npm\b/.test(parent));
}

function getParentPid(pid: number): number {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    }
    return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));
  } catch {
    return 0;
  }
}
