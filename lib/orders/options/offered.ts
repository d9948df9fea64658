import { db, type Executor } from '@/db/client';
import { type OptionLimits, optionView, type SiteOptionRow } from '@/lib/sites/options/contract';
import { getOptionLimits, listSiteOptions } from '@/lib/sites/options/save';
import type { OfferedOption, PricedListing } from './contract';
import { chargeFor, priceOption } from './price';

/** The options of listings, and the limits in force. */
export type OptionOffer = OptionLimits & { bySite: ReadonlyMap<number, readonly SiteOptionRow[]> };

/** Reads the options of listings and the limits in force. */
export async function getOptionOffer(siteIds: readonly number[], on: Executor = db()): Promise<OptionOffer> {
  const [limits, rows] = await Promise.all([getOptionLimits(on), listSiteOptions(siteIds, on)]);
  const bySite = new Map<number, SiteOptionRow[]>();
  for (const row of rows) bySite.set(row.siteId, [...(bySite.get(row.siteId) ?? []), row]);
  return { ...limits, bySite };
}

/**
 * Checks whether an option is for sale: its kind is offered, and a guarantee is longer than the one that every order has.
 * A paid change is no choice before the order.
 */
export const isForSale = ({ kind, days }: SiteOptionRow, { rules, guaranteeDays }: OptionLimits): boolean =>
  kind !== 'change' && rules.kinds[kind].isOffered && (kind !== 'guarantee' || (days ?? 0) > guaranteeDays);

/** Lists the options of a listing in the buyer's prices, also the topics that it does not accept. */
export function listOffered(offer: OptionOffer, listing: PricedListing): OfferedOption[] {
  const rows = offer.bySite.get(listing.id) ?? [];
  return rows.filter((row) => isForSale(row, offer)).map((row) => offeredOptionView(row, offer, listing));
}

/** Returns an option in the buyer's prices. */
export function offeredOptionView(
  row: SiteOptionRow,
  { rules }: OptionLimits,
  { sellerPriceCents, publicPriceCents }: PricedListing,
): OfferedOption {
  const { kind, isRefused, percent, minimumCents } = row;
  const prices = { sellerPriceCents, publicPriceCents, rules };
  // The price of 100 words is that of an amount, without the minimum.
  const unit = priceOption(
    { ...row, kind, minimumCents: null },
    { ...prices, words: 100, rules: { ...rules, minWords: 0 } },
  );
  return {
    ...optionView(row),
    surchargeCents: isRefused ? null : unit.chargedCents,
    // With a margin of its own, the percentage is not that of the buyer's price.
    ...(percent !== null && rules.kinds[kind].marginBasisPoints === null && { surchargePercent: percent }),
    ...(minimumCents !== null && {
      minimumCents: chargeFor(row, minimumCents, prices),
      minWords: rules.minWords,
    }),
  };
}
