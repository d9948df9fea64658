import { AppError } from '@/lib/errors';
import { orderIdParams } from './schemas';

/**
 * Finds the order of a page's address.
 * @param id the URL parameter as received
 * @param get finds the order, or throws not_found
 * @returns null if the id is invalid, or the order does not exist for the reader
 */
export async function findByParam<Row>(id: string, get: (id: number) => Promise<Row>): Promise<Row | null> {
  const params = orderIdParams.safeParse({ id });
  if (!params.success) return null;
  try {
    return await get(params.data.id);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') return null;
    throw thrown;
  }
}
