import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '@/scripts/process/root';
import { tempRoot } from './temp-folder';

/** Each test run has its own data folder, so that two runs can be concurrent. */
export const testFolderPrefix = 'linkmarket-test-';

/** Of runs of all suites, of the domain suite alone, and of installations of fault tests. */
const ownFolder = /^linkmarket-(test|domain|faults)-/;
const abandonedAfterMs = 6 * 60 * 60_000;

/** Deletes folders of killed runs, which are older than any run lasts. */
export function removeLeftovers(): void {
  for (const name of readdirSync(tempRoot)) {
    const path = join(tempRoot, name);
    if (!ownFolder.test(name) || !existsSync(path)) continue;
    const { mtimeMs, uid } = statSync(path);
    if (uid !== (process.getuid?.() ?? uid) || Date.now() - mtimeMs < abandonedAfterMs) continue;
    rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Returns the data folder of the database server that the runs of single files in this checkout share. Another user's folder is
 * not used.
 */
export function keptDataDir(): string {
  const user = process.getuid?.() ?? '';
  const checkout = createHash('sha256').update(projectRoot).digest('hex').slice(0, 12);
  const folder = join(tmpdir(), `linkmarket-kept-${user}-${checkout}`);
  mkdirSync(folder, { mode: 0o711, recursive: true });
  const { uid } = statSync(folder);
  if (user !== '' && uid !== user) throw new Error(`${folder} belongs to another user; remove it and try again.`);
  return folder;
}
