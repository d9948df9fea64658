import { AppError } from '@/lib/errors';
import { getAdminOrder } from '@/lib/orders/queries';
import { orderIdParams } from '@/lib/orders/schemas';
import type { AdminOrderRow } from '@/lib/orders/views';

/** Finds the order of an address. @returns null if the id is invalid or unknown */
export async function findOrder(id: string): Promise<AdminOrderRow | null> {
  const params = orderIdParams.safeParse({ id });
  if (!params.success) return null;
  try {
    return await getAdminOrder(params.data.id);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') return null;
    throw thrown;
  }
}
