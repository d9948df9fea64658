import { AppError } from '../errors';
import { readOffer } from './offer';
import { type PricedItem, priceItems } from './price-items';
import type { CreateOrderInput } from './schemas';
import type { OrderRow } from './views';

export type PriceAgain = { item: PricedItem } | { refusal: string };

/**
 * What the same site or package, in the same quantity, costs today. Reads and orders nothing.
 * @returns the reason where it cannot be ordered any more
 */
export async function priceAgain(order: OrderRow): Promise<PriceAgain> {
  const { siteId, packageId, quantity, projectId, packageName, website } = order;
  const gone = { refusal: `${packageName || website} is no longer on sale.` };
  const again: CreateOrderInput =
    packageId === null
      ? { kind: 'custom', siteIds: siteId === null ? [] : [siteId], projectId }
      : { kind: 'package', packageId, quantity, projectId };
  try {
    const [item] = priceItems(await readOffer(order.userId, again), again);
    return item ? { item } : gone;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'conflict') return gone;
    if (thrown instanceof AppError && thrown.code === 'not_configured') return { refusal: thrown.message };
    throw thrown;
  }
}
