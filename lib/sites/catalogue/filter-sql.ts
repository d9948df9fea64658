import { and, asc, desc, eq, gte, inArray, lte, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { sites, siteValue } from '@/db/schema/sites';
import { textContains } from '@/db/search';
import { listSpellings, splitSearchWords } from '@/lib/network/search-words';
import { toCountryName } from '@/lib/sites/edit-schemas';
import { toLanguageName } from '@/lib/taxonomy/find-language';
import type { SiteFilter } from './schemas';

/**
 * The condition for sites that buyers can see and order: approved, priced, not deleted and not paused. Must equal the
 * predicate of the catalogue's partial indexes (db/schema/sites.ts), otherwise PostgreSQL does not use them.
 */
export const isListed = sql`${sites.status} = 'Approved' and ${sites.publicPriceUsdCents} is not null and ${sites.deletedAt} is null
  and ${sites.pausedAt} is null`;

/** The columns of the figures that ranges filter. */
export const rangeColumns = {
  dr: sites.dr,
  da: sites.da,
  traffic: sites.traffic,
  spam: sites.spam,
  price: sites.publicPriceUsdCents,
  tat: sites.tatDays,
} as const;

/** Converts a filter to an SQL condition. A range filter excludes sites whose metric is unknown. */
export function siteCondition(filter: SiteFilter & { ids?: readonly number[] | undefined }): SQL | undefined {
  return and(
    filter.ids && inArray(sites.id, [...filter.ids]),
    ...splitSearchWords(filter.q).map((word) => textContains(sql`${sites.searchText}`, ...listSpellings(word))),
    isOneOf(sites.niche, filter.niche),
    isOneOf(sites.country, withCountryNames(filter.country)),
    isOneOf(sites.language, withLanguageNames(filter.language)),
    filter.postType ? eq(sites.postType, filter.postType) : undefined,
    filter.followType && eq(sites.followType, filter.followType),
    ...inRange(rangeColumns.dr, filter.minDr, filter.maxDr),
    ...inRange(rangeColumns.da, filter.minDa, filter.maxDa),
    ...inRange(rangeColumns.traffic, filter.minTraffic, filter.maxTraffic),
    ...inRange(rangeColumns.spam, filter.minSpam, filter.maxSpam),
    ...inRange(rangeColumns.price, filter.minPrice, filter.maxPrice),
    ...inRange(rangeColumns.tat, filter.minTat, filter.maxTat),
    // Not by parameters, as the partial indexes of these filters apply to constants only.
    filter.measured?.includes('dr') ? sql`${sites.isDrMeasured}` : undefined,
    filter.measured?.includes('traffic') ? sql`${sites.isTrafficMeasured}` : undefined,
    filter.owner ? sql`${sites.ownership} = 'owner'` : undefined,
  );
}

/** Returns the ORDER BY expressions: the sort key with unknown values last, then the id. Defaults to ascending price. */
export function siteOrder({ sort = 'price', order = 'asc' }: Pick<SiteFilter, 'sort' | 'order'>): SQL[] {
  const direction = order === 'desc' ? desc : asc;
  if (sort === 'added') return [direction(sites.id)];
  const column =
    sort === 'name' || sort === 'reliability' ? sites[sort] : sort === 'value' ? siteValue : rangeColumns[sort];
  const key = sort === 'name' || order === 'asc' ? direction(column) : sql`${direction(column)} nulls last`;
  return [key, direction(sites.id)];
}

/** Lists the countries of a filter as given, and as the catalog spells them: sites of the United Kingdom for `UK`. */
export function withCountryNames(input: readonly string[] | undefined): string[] | undefined {
  return input && [...new Set(input.flatMap((country) => [country, toCountryName(country)]))];
}

/** Lists the languages of a filter as `withCountryNames` does the countries. */
export function withLanguageNames(input: readonly string[] | undefined): string[] | undefined {
  return input && [...new Set(input.flatMap((language) => [language, toLanguageName(language)]))];
}

/** Builds a condition: equality for a single value, so that PostgreSQL reads an index in its order. */
function isOneOf(column: PgColumn, values: readonly string[] | undefined): SQL | undefined {
  if (!values || values.length === 0) return undefined;
  return values.length === 1 ? eq(column, values[0]) : inArray(column, [...values]);
}

function inRange(column: PgColumn, low: number | undefined, high: number | undefined): (SQL | undefined)[] {
  return [low === undefined ? undefined : gte(column, low), high === undefined ? undefined : lte(column, high)];
}
