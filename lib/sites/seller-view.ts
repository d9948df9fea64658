import { or, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { type FollowType, type SiteStatus, sites } from '../../db/schema/sites';
import type { Currency } from '../money';
import type { sellerSiteAnswer } from './answers';

/** A seller's own site as the database has it; neither the margin price nor the public one is ever read here. */
export type SellerSiteRow = {
  id: number;
  name: string;
  url: string;
  dr: number | null;
  da: number | null;
  traffic: number | null;
  spam: number | null;
  country: string;
  language: string;
  niche: string;
  postType: string;
  followType: FollowType;
  /** What the seller asks, in minor units of `currency`. */
  sellerPriceCents: number | null;
  currency: Currency;
  tat: string;
  status: SiteStatus;
  version: number;
};

/** The seller's part of a whole row. */
export function sellerSiteRow(row: typeof sites.$inferSelect): SellerSiteRow {
  const { id, name, url, dr, da, traffic, spam, country, language, niche, postType, followType, tat, status } = row;
  return {
    ...{ id, name, url, dr, da, traffic, spam, country, language, niche, postType, followType, tat, status },
    sellerPriceCents: row.sellerPriceCents,
    currency: row.publicCurrency,
    version: row.version,
  };
}

/** What GET /api/seller/sites answers for a site (spec 000, section 3: seller site); `price` in major units. */
export function sellerSiteView({
  sellerPriceCents,
  version: _version,
  ...site
}: SellerSiteRow): z.output<typeof sellerSiteAnswer> {
  return { ...site, price: sellerPriceCents === null ? null : sellerPriceCents / 100 };
}

/** What a seller can mend on a site, in the order it is recommended (spec 000, section 2; decision 22). */
export const sellerGaps = ['niche', 'spam', 'metrics', 'stale'] as const;
export type SellerGap = (typeof sellerGaps)[number];

/** A spam score changes within months; a price and the site itself within half a year. */
export const staleAfterDays = { spam: 90, site: 180 } as const;

const untouchedFor = (days: number) => sql`${sites.updatedAt} < now() - make_interval(days => ${days}::int)`;

/** The predicate of each gap: the count on the dashboard and the list behind it are the same sites. */
export const hasGap: Record<SellerGap, SQL> = {
  // "General" is what a site gets when nobody named its niche.
  niche: sql`(${sites.niche} in ('', 'General') or ${sites.language} = '')`,
  spam: sql`(${or(sql`${sites.spam} is null`, untouchedFor(staleAfterDays.spam))})`,
  metrics: sql`(${sites.dr} is null or ${sites.da} is null or ${sites.traffic} is null or ${sites.tat} = '')`,
  stale: sql`(${or(sql`${sites.sellerPriceCents} is null`, untouchedFor(staleAfterDays.site))})`,
};
