import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { commandOf, identityOf } from './identity';

/**
 * The processes between this one and the `npm run …` that started it (npm, its shell, tsx), as identities. Empty when
 * npm did not start it; `gone` when npm did and was killed before this process could look.
 */
export function findRunner(): string[] | 'gone' {
  if (!process.env.npm_lifecycle_event) return [];
  if (isOrphan()) return 'gone';
  const found: string[] = [];
  let pid = process.ppid;
  // npm → sh → tsx → this process; a shell may be missing, one more may stand between.
  for (let step = 0; step < 5 && pid > 1; step += 1) {
    found.push(identityOf(pid));
    if (/^npm\b/.test(commandOf(pid) ?? '')) return found;
    pid = parentOf(pid);
  }
  return [];
}

/** npm's commands are its children (`exec`), so only an orphan has the system as its parent; in a container npm is it. */
function isOrphan(): boolean {
  const parent = commandOf(process.ppid) ?? '';
  return parent === 'systemd' || (process.ppid === 1 && !/^npm\b/.test(parent));
}

function parentOf(pid: number): number {
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
