import { type SpooledFile, spool } from '../content/spool';
import { backupKey } from '../content/storage-key';
import { contentStore } from '../content/store';
import { requireComplete } from './queries';
import { maxArchiveBytes } from './schemas';

/**
 * Fetches an archive from the store into a temporary file, to be read more than once.
 * @throws AppError not_found, conflict while it is not complete
 */
export async function withArchive<T>(id: string, use: (file: SpooledFile) => Promise<T>): Promise<T> {
  await requireComplete(id);
  return spool(await contentStore().get(backupKey(id)), maxArchiveBytes, use);
}
