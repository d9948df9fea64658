import { chmodSync, existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
/** More than a whole run needs. Half of the memory of a machine, by default. */
const enoughBytes = 6 * 2 ** 30;

/** The folder of temporary folders: memory where there is enough, because each test file creates the thousand files of a database. */
export const tempRoot = hasEnoughMemory() ? memory : tmpdir();

function hasEnoughMemory(): boolean {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > enoughBytes;
}

/** Creates a temporary folder that other accounts may traverse, as PostgreSQL's account must when root runs a test. */
export function createTempFolder(prefix: string): string {
  const folder = mkdtempSync(join(tempRoot, prefix));
  chmodSync(folder, 0o711);
  return folder;
}
