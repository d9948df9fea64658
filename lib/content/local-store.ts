import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { checkedKey, contentNotFound } from './storage-key';
import type { ContentStore } from './store';

/** Keeps files in a folder of this machine: written beside their place first, then renamed into it. */
export function localStore(folder: string): ContentStore {
  const pathOf = (key: string) => join(folder, checkedKey(key));
  return {
    async put(key, { stream }) {
      const path = pathOf(key);
      const partial = `${path}.partial`;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      try {
        await pipeline(stream, createWriteStream(partial, { mode: 0o600, flush: true }));
        await rename(partial, path);
      } catch (thrown) {
        await rm(partial, { force: true });
        throw thrown;
      }
    },
    async get(key) {
      const file = await open(pathOf(key), 'r').catch((thrown: NodeJS.ErrnoException) => {
        throw thrown.code === 'ENOENT' ? contentNotFound() : thrown;
      });
      return file.createReadStream();
    },
    async delete(key) {
      await rm(pathOf(key), { force: true });
    },
  };
}
