import type { z } from 'zod';
import type { FollowType, SiteStatus, sites } from '../../db/schema/sites';
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
