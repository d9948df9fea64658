import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Each test run has its own data folder, so that two runs can be concurrent. */
export const testFolderPrefix = 'linkmarket-test-';

const abandonedAfterMs = 6 * 60 * 60_000;

/** Deletes folders of killed runs, which are older than any run lasts. */
export function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const path = join(tmpdir(), name);
    if (!name.startsWith(testFolderPrefix) || !existsSync(path)) continue;
    const { mtimeMs, uid } = statSync(path);
    if (uid !== (process.getuid?.() ?? uid) || Date.now() - mtimeMs < abandonedAfterMs) continue;
    rmSync(path, { recursive: true, force: true });
  }
}
