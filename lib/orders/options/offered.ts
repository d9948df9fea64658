import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { optionKinds, optionTopics } from '@/db/schema/site-options';
import type { OptionLimits, SiteOptionRow } from '@/lib/sites/options/contract';
import { getOptionLimits, listSiteOptions } from '@/lib/sites/options/save';
import { chargeFor, priceOption } from './price';

/** An option of a listing in the buyer's prices. */
export const offeredOptionResponse = z
  .object({
    id: z.string().describe('For `brief.options`, and for POST /api/orders/{id}/guarantee.'),
    kind: z.enum(optionKinds),
    days: z.int().optional().describe('The days of a guarantee or of a mention on the homepage.'),
    topic: z.enum(optionTopics).optional(),
    isRefused: z.literal(true).optional().describe('Present if the site does not accept the topic.'),
    surchargeCents: z
      .int()
      .nullable()
      .describe('In USD cents; for `writing`, the price of 100 words. Null for a topic that is not accepted.'),
    surchargePercent: z.int().optional().describe('Present if the surcharge is a percentage of the price.'),
    minimumCents: z.int().optional().describe('For `writing`: the least that an article costs, in USD cents.'),
    minWords: z.int().optional().describe('For `writing`: a shorter article is charged as one of this length.'),
  })
  .meta({ title: 'SiteOption' });
export type OfferedOption = z.output<typeof offeredOptionResponse>;

/** What a listing that its publisher fulfills is sold for, in USD cents. */
export type PricedListing = { id: number; sellerPriceCents: number; publicPriceCents: number; words: number };

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
  const { id, kind, days, topic, isRefused, percent, minimumCents } = row;
  const prices = { sellerPriceCents, publicPriceCents, rules };
  // The price of 100 words is that of an amount, without the minimum.
  const unit = priceOption(
    { ...row, kind, minimumCents: null },
    { ...prices, words: 100, rules: { ...rules, minWords: 0 } },
  );
  return {
    id,
    kind,
    ...(days !== null && { days }),
    ...(topic !== null && { topic }),
    ...(isRefused && { isRefused: true as const }),
    surchargeCents: isRefused ? null : unit.chargedCents,
    // With a margin of its own, the percentage is not that of the buyer's price.
    ...(percent !== null && rules.kinds[kind].marginBasisPoints === null && { surchargePercent: percent }),
    ...(minimumCents !== null && {
      minimumCents: chargeFor(row, minimumCents, prices),
      minWords: rules.minWords,
    }),
  };
}
