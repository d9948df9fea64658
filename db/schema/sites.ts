import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { createdAt, idColumn, identityColumn, minorUnits, timestamptz, updatedAt, version } from '@/db/columns';
import { type FigureSource, type ListingMetric, measuredSources, ownershipStates, rejectionReasons } from '@/db/enums';
import { currencies } from '@/lib/money';
import { users } from './users';

export const siteStatuses = ['Pending', 'Approved', 'Rejected'] as const;
export type SiteStatus = (typeof siteStatuses)[number];
/** A filter of lists for staff and sellers: the approved sites that are not on sale, because they have no public price. */
export const awaitingPrice = 'awaiting-price';
/** A filter of the same lists: the sites that their seller paused. */
export const pausedSites = 'paused';
export const siteStatusFilters = [...siteStatuses, awaitingPrice, pausedSites] as const;
export type SiteStatusFilter = (typeof siteStatusFilters)[number];
export const followTypes = ['DoFollow', 'NoFollow'] as const;
export type FollowType = (typeof followTypes)[number];

/**
 * The value of a site for its price, by which the catalogue is sorted: DR times the magnitude of its traffic, per USD. An
 * integer, so that a cursor holds exactly what the index holds; null if DR or traffic is unknown. Must equal the
 * expression of `sites_listed_value_idx`.
 */
export const siteValue = sql<number | null>`(${sql.raw(
  'floor(dr * log((abs(traffic) + 10)::double precision) * 1000000 / nullif(public_price_usd_cents, 0))',
)})`;

/** The source and the day (YYYY-MM-DD) of each figure of a listing. */
export type SiteFigureSources = { [Metric in ListingMetric]?: { source: FigureSource; asOf: string } };

/** The column of each figure. */
export const figureColumns: Record<ListingMetric, string> = {
  dr: 'dr',
  da: 'da',
  as: 'authority_score',
  traffic: 'traffic',
  keywords: 'keywords_count',
  ref_domains: 'ref_domains',
  spam: 'spam',
};

/** The metrics of the figures that a row has, as elements of an array with nulls. */
const sourcedFigures = Object.entries(figureColumns)
  .map(([metric, column]) => `case when ${column} is not null then '${metric}' end`)
  .join(', ');

const isMeasured = (metric: ListingMetric) =>
  sql.raw(`coalesce(figure_sources -> '${metric}' ->> 'source' in (${quoted(measuredSources)}), false)`);

const quoted = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ');

/** A website that sells placements. Unique by owner, normalised URL and post type: a site may sell several types. */
export const sites = pgTable(
  'sites',
  {
    id: identityColumn(),
    ownerId: text()
      .notNull()
      .references(() => users.id),
    name: text().notNull(),
    url: text().notNull(),
    /** The URL with its host as the URL parser gives it, without scheme, www, port, case, trailing slash and fragment. */
    urlKey: text().notNull(),
    /** The registrable domain of the URL (lib/network/registrable-domain.ts), to which figures and proofs belong. */
    domain: text().notNull(),
    niche: text().notNull().default('General'),
    postType: text().notNull().default('Guest posts'),
    country: text().notNull().default('USA'),
    language: text().notNull().default('English'),
    followType: text({ enum: followTypes }).notNull().default('DoFollow'),
    /** Domain rating, domain authority, authority score and spam score: 0 to 100; null if unknown. */
    dr: doublePrecision(),
    da: doublePrecision(),
    authorityScore: doublePrecision(),
    spam: doublePrecision(),
    /** Visits per month. */
    traffic: bigint({ mode: 'number' }),
    keywordsCount: integer(),
    refDomains: integer(),
    /** The source and the day of each figure above, which are the best known ones (db/schema/domain-figures.ts). */
    figureSources: jsonb().$type<SiteFigureSources>().notNull().default({}),
    isDrMeasured: boolean().notNull().generatedAlwaysAs(isMeasured('dr')),
    isTrafficMeasured: boolean().notNull().generatedAlwaysAs(isMeasured('traffic')),
    /** Whether the seller proved the domain, or another seller did; null if no seller did (db/schema/ownership-proofs.ts). */
    ownership: text({ enum: ownershipStates }),
    /** The lower bound of the chance that an order is delivered in time and its link stays (db/schema/site-records.ts). */
    reliability: doublePrecision(),
    /** The number of words of an article. */
    words: integer().notNull().default(600),
    /** The turnaround as shown, e.g. "5 Days", and its number of days. */
    tat: text().notNull().default('3 Days'),
    tatDays: integer().notNull().default(3),
    /** Posts on the site that show what buyers get: up to five URLs, one a line. */
    samplePosts: text().notNull().default(''),
    /** What the site accepts, in the words of its seller; buyers see it. */
    rules: text().notNull().default(''),
    /** The seller's price, in `publicCurrency`; never shown to buyers. */
    sellerPriceCents: minorUnits(),
    /** The margin price set by an admin; never shown to buyers. */
    adminPriceCents: minorUnits(),
    /** The price for buyers; a site without one is not listed. */
    publicPriceCents: minorUnits(),
    publicCurrency: text({ enum: currencies }).notNull().default('USD'),
    /** Whether the seller changed the price since the public price was set. The approval then sets a new public price. */
    isPriceStale: boolean().notNull().default(false),
    /** The public price in USD cents at the rate in force, for sorting across currencies. */
    publicPriceUsdCents: minorUnits(),
    status: text({ enum: siteStatuses }).notNull().default('Pending'),
    /** Why the site is rejected; null for another status, and for a rejection without a reason. */
    rejectionReason: text({ enum: rejectionReasons }),
    /** The words of staff about the rejection, for the seller. */
    rejectionNote: text().notNull().default(''),
    /** Whether staff fulfill the orders of this site instead of its owner. */
    isFulfilledByStaff: boolean().notNull().default(false),
    /** Since when the seller takes no orders; buyers do not find a paused site. Null for a site that is not paused. */
    pausedAt: timestamptz(),
    /** When a paused site is for sale again without the seller's action (resume-sites); null for never. */
    pausedUntil: timestamptz(),
    /** Name and URL in lower case, for the search index. */
    searchText: text().generatedAlwaysAs(sql`lower(name || ' ' || url)`),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: timestamptz(),
  },
  (table) => {
    // The catalogue's indexes contain only listed sites: an import of pending sites does not touch them.
    const listed = sql`status = 'Approved' and public_price_usd_cents is not null and deleted_at is null
      and paused_at is null`;
    const present = sql`deleted_at is null`;
    return [
      uniqueIndex('sites_owner_url_type_key').on(table.ownerId, table.urlKey, table.postType).where(present),
      // For the staff's list, which has every status: the newest sites of a status; and counts and distinct countries
      // from an index that deduplication keeps small, so that imports remain fast.
      index('sites_created_idx').on(table.createdAt).where(present),
      index('sites_desk_status_idx').on(table.status, table.id).where(present),
      index('sites_desk_facets_idx').on(table.country, table.niche, table.postType, table.status).where(present),
      // The sites whose domain some seller proved, for the staff's list. Partial, so that imports do not change it.
      index('sites_desk_ownership_idx')
        .on(table.ownership, table.id)
        .where(sql`deleted_at is null and ownership is not null`),
      // The listings of a domain, to which its figures and proofs apply. With deleted ones, as orders of them remain.
      index('sites_domain_idx').on(table.domain),
      // An owner's sites, newest first, and whether one of them is approved.
      index('sites_owner_idx').on(table.ownerId, table.id, table.status).where(present),
      // The sites that the catalogue's indexes lack, with the values by which lists for staff and owners sort, and the
      // searched text (lib/sites/site-page.ts). An index for each of them would slow down imports, whose sites wait for
      // approval. The limits of name and URL keep an entry below the 2,704 bytes that PostgreSQL accepts.
      index('sites_unlisted_idx')
        .on(
          ...[table.id, table.ownerId, table.status, table.name, table.dr, table.da],
          ...[table.traffic, table.spam, table.reliability, table.publicPriceUsdCents, table.searchText],
        )
        .where(sql`deleted_at is null and not (status = 'Approved' and public_price_usd_cents is not null
          and paused_at is null)`),
      index('sites_resume_idx').on(table.pausedUntil).where(sql`paused_until is not null`),
      // One index for each sort order. Unknown values come last in both directions: descending, the index is read
      // forwards; ascending, its known part is read backwards first (lib/sites/catalogue/listed-sites.ts).
      index('sites_listed_price_idx').on(table.publicPriceUsdCents, table.id).where(listed),
      index('sites_listed_dr_idx').on(table.dr.desc().nullsLast(), table.id.desc().nullsFirst()).where(listed),
      index('sites_listed_da_idx').on(table.da.desc().nullsLast(), table.id.desc().nullsFirst()).where(listed),
      index('sites_listed_traffic_idx')
        .on(table.traffic.desc().nullsLast(), table.id.desc().nullsFirst())
        .where(listed),
      index('sites_listed_value_idx').on(sql`${siteValue} desc nulls last`, table.id.desc().nullsFirst()).where(listed),
      index('sites_listed_reliability_idx')
        .on(table.reliability.desc().nullsLast(), table.id.desc().nullsFirst())
        .where(listed),
      index('sites_listed_name_idx').on(table.name, table.id).where(listed),
      index('sites_listed_added_idx').on(table.id).where(listed),
      // A filter that few sites match would otherwise read a whole order until a page is full.
      index('sites_listed_dr_measured_idx').on(table.id).where(sql`${listed} and is_dr_measured`),
      index('sites_listed_traffic_measured_idx').on(table.id).where(sql`${listed} and is_traffic_measured`),
      index('sites_listed_owner_idx').on(table.id).where(sql`${listed} and ownership = 'owner'`),
      // Allows index-only scans for counts and for the options of the filters.
      index('sites_listed_facets_idx')
        .on(table.country, table.language, table.niche, table.postType, table.dr, table.spam, table.publicPriceUsdCents)
        .where(listed),
      // The sites of a niche with a similar price (lib/sites/catalogue/listed-sites.ts).
      index('sites_listed_niche_idx')
        .on(table.niche, table.postType, table.publicPriceUsdCents, table.id)
        .where(listed),
      // Partial, because covering all sites would triple the time of an import (2.0 s to 6.5 s for 100,000 rows). The
      // staff's search reads a million sites without it in 0.4 s.
      // A changed rate reprices the sites of its currency.
      index('sites_other_currency_idx').on(table.publicCurrency).where(sql`public_currency <> 'USD'`),
      index('sites_search_idx').using('gin', table.searchText.op('gin_trgm_ops')).where(listed),
      // A figure has a source and a day.
      check('sites_figures_sourced', sql`figure_sources ?& array_remove(array[${sql.raw(sourcedFigures)}], null)`),
    ];
  },
);

/**
 * How the public price is made from the seller's price. A rule is for the sites of a seller, a niche, a currency, or any
 * combination of them; without any, it is the default (lib/sites/pricing/price-by-rule.ts).
 */
export const commissionRules = pgTable(
  'commission_rules',
  {
    id: idColumn(),
    sellerId: text().references(() => users.id),
    niche: text(),
    /** The normalized niche (lib/taxonomy/contract.ts), by which sites are compared. */
    nicheKey: text(),
    currency: text({ enum: currencies }),
    /** The margin as a part of the seller's price: 25 % is 2,500. */
    marginBasisPoints: integer().notNull(),
    /** The smallest margin, in cents of `currency`, or in USD cents for a rule without one. */
    minimumCents: minorUnits().notNull().default(0),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  () => [
    // Not by a constraint with `nulls not distinct`, which PostgreSQL 14 does not have.
    uniqueIndex('commission_rules_scope_key').on(
      ...([sql`coalesce(seller_id, '')`, sql`coalesce(niche_key, '')`, sql`coalesce(currency, '')`] as const),
    ),
  ],
);
