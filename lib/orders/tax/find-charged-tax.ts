import { eq } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { orderTaxes } from '@/db/schema/tax';

/**
 * Returns the tax of a charge in USD cents; 0 if it was paid while tax was off.
 * @param movementKey the key of its net transfer
 */
export async function findChargedTaxCents(tx: Executor, movementKey: string): Promise<number> {
  const [row] = await tx
    .select({ taxCents: orderTaxes.taxCents })
    .from(orderTaxes)
    .where(eq(orderTaxes.movementKey, movementKey));
  return row?.taxCents ?? 0;
}
