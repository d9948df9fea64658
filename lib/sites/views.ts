import type { InferSelectModel } from 'drizzle-orm';
import type { z } from 'zod';
import type { FigureSource } from '@/db/enums';
import type { sites } from '@/db/schema/sites';
import type { Currency } from '@/lib/money';
import { listSamplePosts } from './field-values';
import type { adminSiteResponse, publicSiteResponse } from './responses';

export type SiteRow = InferSelectModel<typeof sites>;

/** A site's row without the columns hidden from buyers. */
export type PublicSiteRow = Omit<
  SiteRow,
  | 'ownerId'
  | 'urlKey'
  | 'sellerPriceCents'
  | 'adminPriceCents'
  | 'searchText'
  | 'rejectionReason'
  | 'rejectionNote'
  | 'isFulfilledByStaff'
  | 'samplePosts'
  | 'rules'
  | 'figuresUpdatedAt'
  | 'figuresSource'
  | 'version'
  | 'createdAt'
  | 'updatedAt'
  | 'deletedAt'
>;
export type AdminSiteRow = SiteRow & { ownerName: string };

/** The fields that both views share. */
type SiteFacts = Omit<PublicSiteView, 'follow' | 'price' | 'currency'>;

/** A site as buyers see it. */
export type PublicSiteView = z.output<typeof publicSiteResponse>;

/** A site as administrators edit it. */
export type AdminSiteView = z.output<typeof adminSiteResponse>;

/** Returns a site as buyers see it; prices in major units. */
export function publicSiteView(row: PublicSiteRow): PublicSiteView {
  return {
    ...facts(row),
    follow: row.followType === 'DoFollow',
    price: majorUnits(row.publicPriceCents),
    currency: row.publicCurrency,
  };
}

/** Returns a site as administrators edit it; prices in major units. */
export function adminSiteView(row: AdminSiteRow): AdminSiteView {
  return {
    ...facts(row),
    price: majorUnits(row.sellerPriceCents),
    adminPrice: majorUnits(row.adminPriceCents),
    publicPrice: majorUnits(row.publicPriceCents),
    publicCurrency: row.publicCurrency,
    userId: row.ownerId,
    userName: row.ownerName,
    ...detailsView(row),
    ...rejectionView(row),
    ...(row.isFulfilledByStaff && { isFulfilledByStaff: true as const }),
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function facts(row: PublicSiteRow): SiteFacts {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    niche: row.niche,
    postType: row.postType,
    country: row.country,
    language: row.language,
    followType: row.followType,
    dr: row.dr,
    da: row.da,
    as: row.authorityScore,
    spam: row.spam,
    traffic: row.traffic,
    keywords: row.keywordsCount,
    keywords_count: row.keywordsCount,
    ref_domains: row.refDomains,
    words: row.words,
    tat: row.tat,
    tat_days: row.tatDays,
    status: row.status,
    priceUsd: majorUnits(row.publicPriceUsdCents),
  };
}

/** The sample posts and the rules; nothing without them. */
export const detailsView = ({ samplePosts, rules }: Pick<SiteRow, 'samplePosts' | 'rules'>) => ({
  ...(samplePosts !== '' && { samplePosts: listSamplePosts(samplePosts) }),
  ...(rules !== '' && { rules }),
});

/** The reason of a rejection, for staff and the seller; nothing without one. */
export const rejectionView = ({
  status,
  rejectionReason,
  rejectionNote,
}: Pick<SiteRow, 'status' | 'rejectionReason' | 'rejectionNote'>) => ({
  ...(status === 'Rejected' && rejectionReason !== null && { rejectionReason }),
  ...(status === 'Rejected' && rejectionNote !== '' && { rejectionNote }),
});

function majorUnits(cents: number | null): number | null {
  return cents === null ? null : cents / 100;
}

/** A row of the marketplace's table. Kept small, because every row is sent to the browser. */
export type MarketplaceRow = {
  id: number;
  name: string;
  url: string;
  niche: string;
  country: string;
  language: string;
  dr: number | null;
  da: number | null;
  as: number | null;
  spam: number | null;
  traffic: number | null;
  keywords: number | null;
  refDomains: number | null;
  words: number;
  tatDays: number;
  follow: boolean;
  /** The public price in `currency`, and its current price in USD; both in minor units. */
  priceCents: number;
  currency: Currency;
  usdCents: number;
  /** Who fulfills an order of the site, where it is shown. */
  fulfilledBy?: 'publisher' | 'our team';
};

/** A listed site in detail, for buyers. Nothing of its seller but what the seller writes for them. */
export type SiteDetail = MarketplaceRow & {
  postType: string;
  /** URLs of posts on the site. */
  samplePosts: string[];
  /** Plain text, possibly of several lines. */
  rules: string;
  /** When and by whom the figures were last changed; null if that is not known. */
  figures: { updatedAt: Date; source: FigureSource } | null;
};

/** Returns a listed site in detail. */
export function siteDetailView(
  row: PublicSiteRow & Pick<SiteRow, 'samplePosts' | 'rules' | 'figuresUpdatedAt' | 'figuresSource'>,
): SiteDetail {
  const { postType, samplePosts, rules, figuresUpdatedAt: updatedAt, figuresSource: source } = row;
  return {
    ...marketplaceRow(row),
    postType,
    samplePosts: listSamplePosts(samplePosts),
    rules,
    figures: updatedAt && source ? { updatedAt, source } : null,
  };
}

/** Returns a row of the marketplace. Listed sites have both prices; see lib/sites/catalogue/filter-sql.ts. */
export function marketplaceRow(row: PublicSiteRow): MarketplaceRow {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    niche: row.niche,
    country: row.country,
    language: row.language,
    dr: row.dr,
    da: row.da,
    as: row.authorityScore,
    spam: row.spam,
    traffic: row.traffic,
    keywords: row.keywordsCount,
    refDomains: row.refDomains,
    words: row.words,
    tatDays: row.tatDays,
    follow: row.followType === 'DoFollow',
    priceCents: row.publicPriceCents ?? 0,
    currency: row.publicCurrency,
    usdCents: row.publicPriceUsdCents ?? 0,
  };
}
