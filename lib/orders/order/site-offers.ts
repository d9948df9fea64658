import { type Choice, chooseOptions } from '@/lib/orders/options/choose';
import type { OfferedOption, PricedListing } from '@/lib/orders/options/contract';
import { getOptionOffer, listOffered } from '@/lib/orders/options/offered';
import { findPricedListing } from './create-placements';
import { getOffer, listSitePrices } from './pricing';

/** What sites cost a buyer now. */
export type SiteOffers = {
  /** The prices without options by site, in USD cents; without the sites that cannot be ordered now. */
  prices: ReadonlyMap<number, number>;
  /** Whether the owner of a site fulfills orders of this buyer; our team fulfills the others, which have no options. */
  isOfPublisher: (siteId: number) => boolean;
  /** Lists the options of a site in the buyer's prices. */
  listOptions: (siteId: number) => OfferedOption[];
  /** Prices the options that a brief chooses. */
  choose: (siteId: number, choice: { ids: readonly string[] } & Parameters<typeof chooseOptions>[3]) => Choice;
};

/** Reads what sites and their options cost a buyer now. */
export async function getSiteOffers(buyerId: string, siteIds: readonly number[]): Promise<SiteOffers> {
  const ids = [...new Set(siteIds)];
  const { sites } = ids.length === 0 ? { sites: [] } : await getOffer({ kind: 'custom', siteIds: ids });
  const listings = new Map<number, PricedListing>();
  for (const site of sites) {
    const listing = findPricedListing(buyerId, site);
    if (listing) listings.set(site.id, listing);
  }
  const offer = await getOptionOffer([...listings.keys()]);
  return {
    prices: listSitePrices(sites),
    isOfPublisher: (siteId) => listings.has(siteId),
    listOptions: (siteId) => {
      const listing = listings.get(siteId);
      return listing ? listOffered(offer, listing) : [];
    },
    choose: (siteId, { ids: chosen, ...brief }) => chooseOptions(offer, listings.get(siteId) ?? null, chosen, brief),
  };
}
