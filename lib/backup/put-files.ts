import { createReadStream } from 'node:fs';
import { maxContentBytes } from '../content/attach';
import { spool } from '../content/spool';
import { contentStore } from '../content/store';
import { AppError } from '../errors';
import type { Manifest } from './manifest';
import { readArchive } from './read-archive';

/**
 * Puts an archive's delivered files into the store, where it does not have them. A file's key names one content for
 * good, so that one which is there stays as it is. @returns how many were put
 */
export async function putFiles(path: string, manifest: Manifest): Promise<number> {
  if (manifest.files.count === 0) return 0;
  const store = contentStore();
  let put = 0;
  await readArchive(createReadStream(path), {
    onFile: async (key, content) => {
      if (await isThere(key)) return;
      // The store wants to know length and sum beforehand.
      await spool(content, maxContentBytes, ({ path: file, sizeBytes, sha256 }) =>
        store.put(key, { stream: createReadStream(file), sizeBytes, sha256 }),
      );
      put += 1;
    },
  });
  return put;
}

async function isThere(key: string): Promise<boolean> {
  try {
    (await contentStore().get(key)).destroy();
    return true;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') return false;
    throw thrown;
  }
}
