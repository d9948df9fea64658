import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What uploads (lib/content/spool.ts) and backups (lib/backup/run.ts) write into before they store anything. */
const ours = /^linkmarket-(upload|backup)-/;
/** No upload and no backup takes so long. */
const abandonedMs = 24 * 60 * 60 * 1000;

/**
 * Deletes temporary folders whose process was killed before it could: a backup's holds the whole database.
 * @returns how many
 */
export async function removeTempFolders(): Promise<{ removed: number }> {
  const names = (await readdir(tmpdir())).filter((name) => ours.test(name));
  let removed = 0;
  for (const name of names) {
    const path = join(tmpdir(), name);
    const found = await stat(path).catch(unlessGone);
    if (!found || Date.now() - found.mtimeMs < abandonedMs) continue;
    await rm(path, { recursive: true, force: true });
    removed += 1;
  }
  return { removed };
}

/** Its own process removes it at this moment. */
function unlessGone(thrown: NodeJS.ErrnoException): null {
  if (thrown.code === 'ENOENT') return null;
  throw thrown;
}
