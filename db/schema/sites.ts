import { sql } from 'drizzle-orm';
import { bigint, doublePrecision, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { currencies } from '../../lib/money';
import { countedId, createdAt, minorUnits, moment, updatedAt, version } from '../columns';
import { users } from './users';

export const siteStatuses = ['Pending', 'Approved', 'Rejected'] as const;
export type SiteStatus = (typeof siteStatuses)[number];
export const followTypes = ['DoFollow', 'NoFollow'] as const;
export type FollowType = (typeof followTypes)[number];

/** A website that sells placements. Unique by owner, normalised URL and post type: a site may sell several types. */
export const sites = pgTable(
  'sites',
  {
    id: countedId(),
    ownerId: text()
      .notNull()
      .references(() => users.id),
    name: text().notNull(),
    url: text().notNull(),
    /** The URL without scheme, www, case, trailing slash and fragment. */
    urlKey: text().notNull(),
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
    /** Visits a month. */
    traffic: bigint({ mode: 'number' }),
    keywordsCount: integer(),
    refDomains: integer(),
    /** Words in an article. */
    words: integer().notNull().default(600),
    /** As entered by the seller, e.g. "5 Days", and the number of days parsed from it. */
    tat: text().notNull().default('3 Days'),
    tatDays: integer().notNull().default(3),
    /** The seller's price, in `publicCurrency`; never shown to buyers. */
    sellerPriceCents: minorUnits(),
    /** The margin price set by an admin; never shown to buyers. */
    adminPriceCents: minorUnits(),
    /** The price for buyers; a site without one is not listed. */
    publicPriceCents: minorUnits(),
    publicCurrency: text({ enum: currencies }).notNull().default('USD'),
    /** The public price in USD cents at the rate in force, for sorting across currencies. */
    publicPriceUsdCents: minorUnits(),
    status: text({ enum: siteStatuses }).notNull().default('Pending'),
    /** Name and URL in lower case in one text, for the search index. */
    searchText: text().generatedAlwaysAs(sql`lower(name || ' ' || url)`),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: moment(),
  },
  (table) => {
    // The catalogue's indexes contain only listed sites: an import of pending sites does not touch them.
    const listed = sql`status = 'Approved' and public_price_usd_cents is not null and deleted_at is null`;
    const present = sql`deleted_at is null`;
    return [
      uniqueIndex('sites_owner_url_type_key').on(table.ownerId, table.urlKey, table.postType).where(present),
      // The filters of staff, who see every status: the newest of a status; and how many match and which countries there
      // are, from a small index (few combinations, many sites) that every import can afford.
      index('sites_desk_status_idx').on(table.status, table.id).where(present),
      index('sites_desk_facets_idx').on(table.country, table.niche, table.postType, table.status).where(present),
      // One for each order that lists offer. Unknown figures come last either way: descending the index is read as it
      // is; ascending, its known part is read backwards first (lib/sites/catalogue/listed-page.ts).
      index('sites_listed_price_idx').on(table.publicPriceUsdCents, table.id).where(listed),
      index('sites_listed_dr_idx').on(table.dr.desc().nullsLast(), table.id.desc().nullsFirst()).where(listed),
      index('sites_listed_da_idx').on(table.da.desc().nullsLast(), table.id.desc().nullsFirst()).where(listed),
      index('sites_listed_traffic_idx')
        .on(table.traffic.desc().nullsLast(), table.id.desc().nullsFirst())
        .where(listed),
      index('sites_listed_name_idx').on(table.name, table.id).where(listed),
      index('sites_listed_added_idx').on(table.id).where(listed),
      // Answers counts and the choices of the filters without touching the table.
      index('sites_listed_facets_idx')
        .on(table.country, table.language, table.niche, table.postType, table.dr, table.spam, table.publicPriceUsdCents)
        .where(listed),
      // Of all sites it would make inserting an import three times as slow (2.0 s to 6.5 s for 100,000 rows), and a search
      // of staff, who read a million in 0.4 s, faster.
      index('sites_search_idx').using('gin', table.searchText.op('gin_trgm_ops')).where(listed),
    ];
  },
);
