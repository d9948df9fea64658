import { createWriteStream } from 'node:fs';
import { mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { contentNotFound, ownedFolders, requireStorageKey } from './storage-key';
import type { ContentStore, StoredFile } from './store-interface';
import { verifyChecksum } from './store-interface';

/** The suffix of a file that is not yet complete. */
const partialEnding = '.partial';

/** Stores files in a local folder. A file is written under a temporary name and then renamed. */
export function localStore(folder: string): ContentStore {
  const pathOf = (key: string) => join(folder, requireStorageKey(key));
  return {
    async put(key, { stream, sha256 }) {
      const path = pathOf(key);
      const partial = path + partialEnding;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      try {
        await pipeline(verifyChecksum(stream, sha256), createWriteStream(partial, { mode: 0o600, flush: true }));
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
      const path = pathOf(key);
      await Promise.all([rm(path, { force: true }), rm(path + partialEnding, { force: true })]);
    },
    async *list() {
      for (const owned of ownedFolders) {
        for await (const owner of listNames(join(folder, owned))) {
          const files = await listFiles(join(folder, owned, owner), `${owned}/${owner}`);
          if (files.length > 0) yield files;
        }
      }
    },
    async removeUnfinished(before) {
      const done = { removed: 0, failed: 0 };
      for await (const name of listNames(join(folder, 'backups'))) {
        const path = join(folder, 'backups', name);
        if (!name.endsWith(partialEnding)) continue;
        const found = await stat(path).catch(nullIfMissing);
        if (!found || found.mtime >= before) continue;
        await rm(path, { force: true });
        done.removed += 1;
      }
      return done;
    },
    createForm: null,
  };
}

/** Lists the files in a folder. The key of an incomplete upload is that of the complete file. */
async function listFiles(folder: string, prefix: string): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for await (const name of listNames(folder)) {
    const found = await stat(join(folder, name)).catch(nullIfMissing);
    if (!found?.isFile()) continue;
    const whole = name.endsWith(partialEnding) ? name.slice(0, -partialEnding.length) : name;
    files.push({ key: `${prefix}/${whole}`, modifiedAt: found.mtime });
  }
  return files;
}

/** Yields the names in a folder; none when it does not exist. */
async function* listNames(folder: string): AsyncGenerator<string> {
  const entries = await opendir(folder).catch(nullIfMissing);
  if (!entries) return;
  for await (const { name } of entries) yield name;
}

/** Returns null when the file does not exist, or was deleted concurrently. */
function nullIfMissing(thrown: NodeJS.ErrnoException): null {
  if (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR') return null;
  throw thrown;
}

/** The errors for no space, exceeded quota and file size limit; PostgreSQL's is 53100. */
const codes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', '53100']);

/** Checks whether an error was caused by a full disk, of the app or of the database. */
export function isStorageFull(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if ('code' in thrown && typeof thrown.code === 'string' && codes.has(thrown.code)) return true;
  return isStorageFull(thrown.cause);
}
