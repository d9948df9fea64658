import { log } from '../log/log';
import { deleteUnlessKept } from './delete-unless-kept';

/**
 * For a file whose row could not be written, as far as one knows: the commit may have happened and only its answer
 * been lost, and a row without its file cannot be mended. So the file is deleted only when the row is surely not there.
 * Nothing is thrown, so that whoever asks can tell the first error.
 * @returns whether the row is there after all
 */
export async function keptAfterAll(orderId: number, storageKey: string): Promise<boolean> {
  try {
    return await deleteUnlessKept(orderId, storageKey);
  } catch (thrown) {
    // A file too many takes a little room; it is told, for whoever looks after the store.
    log().error({ storageKey, err: thrown }, 'A content file may lie in the store without an order.');
    return false;
  }
}
