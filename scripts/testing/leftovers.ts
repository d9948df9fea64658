import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Each run of the tests keeps its data in a folder of its own, so that two runs can go on at once. */
export const testFolderPrefix = 'linkmarket-test-';

const abandonedAfterMs = 6 * 60 * 60_000;

/** Removes what runs that were killed left behind: folders older than any run lasts. */
export function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const path = join(tmpdir(), name);
    if (!name.startsWith(testFolderPrefix) || !existsSync(path)) continue;
    const { mtimeMs, uid } = statSync(path);
    if (uid !== (process.getuid?.() ?? uid) || Date.now() - mtimeMs < abandonedAfterMs) continue;
    rmSync(path, { recursive: true, force: true });
  }
}
