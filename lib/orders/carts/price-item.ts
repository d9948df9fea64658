import { sumOptions } from '@/lib/orders/options/choose';
import type { SiteOffers } from '@/lib/orders/order/site-offers';
import type { CartBriefInput } from './contract';
import { readOptionChoice } from './read-brief';

/** The price of a site of a cart with its chosen options, in USD cents. */
type ItemPrice = {
  /** Null for a site that cannot be ordered now. */
  priceCents: number | null;
  /** The part of the chosen options, without those that cannot be ordered. */
  optionsCents: number;
  /** Why the chosen options cannot be ordered; null if they can. */
  problem: string | null;
};

/** Prices a site of a cart with the options that its brief chooses. */
export function priceItem(offers: SiteOffers, siteId: number, brief: CartBriefInput): ItemPrice {
  const siteCents = offers.prices.get(siteId);
  // The state of the item tells why.
  if (siteCents === undefined) return { priceCents: null, optionsCents: 0, problem: null };
  const { chosen, problem } = offers.choose(siteId, readOptionChoice(brief));
  const optionsCents = sumOptions(chosen).chargedCents;
  return { priceCents: siteCents + optionsCents, optionsCents, problem };
}

/**
 * Checks whether two briefs choose the same options at the same terms, so that the price that was shown still counts.
 */
export const isSameChoice = (one: CartBriefInput, other: CartBriefInput): boolean =>
  JSON.stringify(readOptionChoice(one)) === JSON.stringify(readOptionChoice(other));
