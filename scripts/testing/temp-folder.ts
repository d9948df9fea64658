import { chmodSync, existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
/** More than a whole run needs. Half of the memory of a machine, by default. */
const enoughBytes = 6 * 2 ** 30;

/**
 * The parent of temporary folders: in memory if it is large enough, because each test file creates a database of 1,000
 * files.
 */
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
