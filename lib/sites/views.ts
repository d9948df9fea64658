import type { InferSelectModel } from 'drizzle-orm';
import type { z } from 'zod';
import type { ListingMetric } from '@/db/enums';
import type { SiteFigureSources, sites } from '@/db/schema/sites';
import { walletCurrency } from '@/lib/money';
import { type FigureNote, noteFigure } from './domain-figures/describe-figure';
import { listSamplePosts } from './field-values';
import type { adminSiteResponse, Figure, FulfilmentRecord, Linked, publicSiteResponse } from './responses';

export type SiteRow = InferSelectModel<typeof sites>;

/** A site's row without the columns hidden from buyers. */
export type PublicSiteRow = Omit<
  SiteRow,
  | 'ownerId'
  | 'urlKey'
  | 'sellerPriceCents'
  | 'adminPriceCents'
  | 'pausedAt'
  | 'pausedUntil'
  | 'searchText'
  | 'rejectionReason'
  | 'rejectionNote'
  | 'isFulfilledByStaff'
  | 'isPriceStale'
  | 'samplePosts'
  | 'rules'
  | 'isDrMeasured'
  | 'isTrafficMeasured'
  | 'version'
  | 'createdAt'
  | 'updatedAt'
  | 'deletedAt'
> & {
  /** Whether the site links to a project; absent in a list without one. */
  linked?: Linked;
};
export type AdminSiteRow = SiteRow & { ownerName: string; linked?: Linked };

/** The fields that both views share. */
type SiteFacts = Omit<PublicSiteView, 'follow' | 'price' | 'currency' | 'linked'>;

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
    ...linkedView(row),
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
    ...linkedView(row),
    ...detailsView(row),
    ...rejectionView(row),
    ...(row.isFulfilledByStaff && { isFulfilledByStaff: true as const }),
    ...pauseView(row),
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function facts(row: PublicSiteRow): SiteFacts {
  const { id, name, url, niche, postType, country, language, followType, dr, da, spam, traffic, tat, status } = row;
  return {
    ...{ id, name, url, niche, postType, country, language, followType, dr, da, as: row.authorityScore, spam, traffic },
    keywords: row.keywordsCount,
    keywords_count: row.keywordsCount,
    ref_domains: row.refDomains,
    words: row.words,
    ...{ tat, tat_days: row.tatDays, status },
    priceUsd: majorUnits(row.publicPriceUsdCents),
    figureSources: sourcesView(row.figureSources),
    ownership: row.ownership,
  };
}

/** Returns whether the site links to the project of the list; nothing without one. */
const linkedView = ({ linked }: Pick<PublicSiteRow, 'linked'>): { linked?: Linked } =>
  linked === undefined ? {} : { linked };

/** Returns the name of the source of each figure; null for an unknown figure. */
export function sourcesView(of: SiteFigureSources) {
  const { dr, da, as, traffic, keywords, ref_domains, spam } = of;
  const name = (figure: SiteFigureSources[ListingMetric]) => figure?.source ?? null;
  return {
    ...{ dr: name(dr), da: name(da), as: name(as), traffic: name(traffic), keywords: name(keywords) },
    ...{ ref_domains: name(ref_domains), spam: name(spam) },
  };
}

/** Returns the sample posts and the rules; nothing without them. */
export const detailsView = ({ samplePosts, rules }: Pick<SiteRow, 'samplePosts' | 'rules'>) => ({
  ...(samplePosts !== '' && { samplePosts: listSamplePosts(samplePosts) }),
  ...(rules !== '' && { rules }),
});

/** Returns the reason of a rejection, for staff and the seller; nothing without one. */
export const rejectionView = ({
  status,
  rejectionReason,
  rejectionNote,
}: Pick<SiteRow, 'status' | 'rejectionReason' | 'rejectionNote'>) => ({
  ...(status === 'Rejected' && rejectionReason !== null && { rejectionReason }),
  ...(status === 'Rejected' && rejectionNote !== '' && { rejectionNote }),
});

/** Returns that a site is paused, and until when, for staff and the seller; nothing for another site. */
export const pauseView = ({ pausedAt, pausedUntil }: Pick<SiteRow, 'pausedAt' | 'pausedUntil'>) => ({
  ...(pausedAt !== null && { isPaused: true as const }),
  ...(pausedUntil !== null && { pausedUntil: pausedUntil.toISOString() }),
});

function majorUnits(cents: number | null): number | null {
  return cents === null ? null : cents / 100;
}

/** A listed site in a list of buyers, with what depends on the buyer where it is shown. */
export type MarketplaceRow = ReturnType<typeof marketplaceRow> & {
  fulfilledBy?: 'publisher' | 'our team';
};

/** Where figures of a row come from: `of` has the keys of their columns. */
type RowNote = FigureNote & { of: string[] };

/** A row of the marketplace's table. */
export type NotedRow = MarketplaceRow & { notes: readonly RowNote[] };

/** A listed site in detail, for buyers. Nothing of its seller but what the seller writes for them. */
export type SiteDetail = MarketplaceRow & {
  postType: string;
  /** URLs of posts on the site. */
  samplePosts: string[];
  /** Plain text, possibly of several lines. */
  rules: string;
  /** The best known figure of each metric. */
  figures: Figure[];
  /** Null below five orders. */
  record: FulfilmentRecord | null;
};

/** Returns a listed site in detail. */
export function siteDetailView(
  row: PublicSiteRow & Pick<SiteRow, 'samplePosts' | 'rules'>,
  facts: Pick<SiteDetail, 'figures' | 'record'>,
): SiteDetail {
  const { postType, samplePosts, rules } = row;
  return {
    ...marketplaceRow(row),
    postType,
    samplePosts: listSamplePosts(samplePosts),
    rules,
    ...facts,
  };
}

/**
 * Returns a listed site as lists show it; kept small, because every row is sent to the browser. Listed sites have both
 * prices (lib/sites/catalogue/filter-sql.ts): the current one in USD, and the public price where it is in another currency,
 * in minor units.
 */
function marketplaceRow(row: PublicSiteRow) {
  const { id, name, url, niche, country, language, dr, da, spam, traffic, refDomains, words, tatDays, ownership } = row;
  return {
    ...{ id, name, url, niche, country, language, words, tatDays, ownership },
    follow: row.followType === 'DoFollow',
    usdCents: row.publicPriceUsdCents ?? 0,
    ...{ dr, da, as: row.authorityScore, spam, traffic, keywords: row.keywordsCount, refDomains },
    ...(row.publicCurrency !== walletCurrency && {
      foreignPrice: { cents: row.publicPriceCents ?? 0, currency: row.publicCurrency },
    }),
    ...linkedView(row),
  };
}

/**
 * Returns the rows of the marketplace's table. Figures of the same source and day share a note, because every row is sent
 * to the browser.
 * @param ofPublishers the ids of the sites whose publishers fulfill orders; omitted where rows do not say who does
 */
export function marketplaceRows(listed: readonly PublicSiteRow[], ofPublishers?: ReadonlySet<number>): NotedRow[] {
  return listed.map((row) => ({
    ...marketplaceRow(row),
    ...(ofPublishers && { fulfilledBy: ofPublishers.has(row.id) ? ('publisher' as const) : ('our team' as const) }),
    notes: noteFigures(row.figureSources),
  }));
}

function noteFigures({ ref_domains: refDomains, ...others }: SiteFigureSources): RowNote[] {
  const notes = new Map<string, RowNote>();
  for (const [key, origin] of Object.entries({ ...others, refDomains })) {
    if (!origin) continue;
    const name = `${origin.source} ${origin.asOf}`;
    const note: RowNote = notes.get(name) ?? { ...noteFigure(origin), of: [] };
    notes.set(name, note);
    note.of.push(key);
  }
  return [...notes.values()];
}
