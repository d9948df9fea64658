import { or, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { OwnershipMethod } from '@/db/schema/ownership-proofs';
import { sites } from '@/db/schema/sites';
import type { sellerSiteResponse } from './responses';
import { detailsView, pauseView, rejectionView, type SiteRow, sourcesView } from './views';

/** A seller's own site as stored. The admin price and the public price are never read, only whether there is one. */
export type SellerSiteRow = Pick<
  SiteRow,
  | 'id'
  | 'name'
  | 'url'
  | 'dr'
  | 'da'
  | 'traffic'
  | 'spam'
  | 'country'
  | 'language'
  | 'niche'
  | 'postType'
  | 'followType'
  | 'tat'
  | 'samplePosts'
  | 'rules'
  | 'status'
  | 'figureSources'
  | 'ownership'
  | 'rejectionReason'
  | 'rejectionNote'
  | 'pausedAt'
  | 'pausedUntil'
  | 'version'
> & {
  /** In minor units of `currency`. */
  sellerPriceCents: number | null;
  currency: SiteRow['publicCurrency'];
  /** Approved and not on sale, because staff have not set its public price. */
  isAwaitingPrice: boolean;
  /** How the seller proved the domain; null while it is not proved. */
  ownershipMethod: OwnershipMethod | null;
};

/** Returns a site as GET /api/seller/sites returns it; `price` in major units. */
export function sellerSiteView({
  sellerPriceCents,
  isAwaitingPrice,
  rejectionReason,
  rejectionNote,
  samplePosts,
  rules,
  figureSources,
  pausedAt,
  pausedUntil,
  version: _version,
  ...site
}: SellerSiteRow): z.output<typeof sellerSiteResponse> {
  return {
    ...site,
    figureSources: sourcesView(figureSources),
    price: sellerPriceCents === null ? null : sellerPriceCents / 100,
    ...detailsView({ samplePosts, rules }),
    ...rejectionView({ status: site.status, rejectionReason, rejectionNote }),
    ...(isAwaitingPrice && { isAwaitingPrice: true as const }),
    ...pauseView({ pausedAt, pausedUntil }),
  };
}

/** Gaps that a seller can fix on a site, in the order they are recommended. */
export const sellerGaps = ['niche', 'spam', 'metrics', 'stale', 'ownership'] as const;
export type SellerGap = (typeof sellerGaps)[number];

/** A spam score is stale after three months, a site's price and other data after six. */
export const staleAfterDays = { spam: 90, site: 180 } as const;

const notUpdatedFor = (days: number) => sql`${sites.updatedAt} < now() - make_interval(days => ${days}::int)`;

/** The SQL condition of each gap. The dashboard's counts and the filtered lists use the same conditions. */
export const gapConditions: Record<SellerGap, SQL> = {
  // "General" is the default niche.
  niche: sql`(${sites.niche} in ('', 'General') or ${sites.language} = '')`,
  spam: sql`(${or(sql`${sites.spam} is null`, notUpdatedFor(staleAfterDays.spam))})`,
  metrics: sql`(${sites.dr} is null or ${sites.da} is null or ${sites.traffic} is null or ${sites.tat} = '')`,
  stale: sql`(${or(sql`${sites.sellerPriceCents} is null`, notUpdatedFor(staleAfterDays.site))})`,
  ownership: sql`${sites.ownership} is distinct from 'owner'`,
};
