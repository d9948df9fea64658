import { readOffer } from '@/lib/orders/pricing';
import { planPlacements } from './create';

/**
 * Finds the listed sites whose owners would fulfill an order of this buyer; our team fulfills the others.
 * @returns the ids of the sites
 */
export async function listSitesOfPublishers(buyerId: string, siteIds: number[]): Promise<Set<number>> {
  if (siteIds.length === 0) return new Set();
  const offer = await readOffer({ kind: 'custom', siteIds });
  // Only prices in USD matter, which are charged as they are.
  const items = offer.sites.map(({ id, publicPriceCents }) => ({ siteId: id, chargedCents: publicPriceCents ?? 0 }));
  return new Set(planPlacements(buyerId, offer, items).keys());
}
