import { db } from '../../db/client';
import { AppError } from '../errors';
import { type PricedItem, priceItems } from './price-items';
import type { OrderRow } from './views';

export type PriceAgain = { item: PricedItem } | { refusal: string };

/**
 * What the same site or package, in the same quantity, costs today. Reads and orders nothing.
 * @returns the reason where it cannot be ordered any more
 */
export async function priceAgain(order: OrderRow): Promise<PriceAgain> {
  const { siteId, packageId, quantity, projectId, packageName, website } = order;
  const gone = { refusal: `${packageName || website} is no longer on sale.` };
  try {
    if (packageId !== null) {
      const [item] = await priceItems(db(), { kind: 'package', packageId, quantity, projectId });
      return item ? { item } : gone;
    }
    if (siteId === null) return gone;
    const [item] = await priceItems(db(), { kind: 'custom', siteIds: [siteId], projectId });
    return item ? { item } : gone;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'conflict') return gone;
    if (thrown instanceof AppError && thrown.code === 'not_configured') return { refusal: thrown.message };
    throw thrown;
  }
}
