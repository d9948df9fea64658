import { and, asc, desc, eq, gte, inArray, lte, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { sites } from '@/db/schema/sites';
import type { SiteFilter } from './schemas';

const metrics: Record<'dr' | 'da' | 'traffic' | 'spam' | 'price' | 'tat', PgColumn> = {
  dr: sites.dr,
  da: sites.da,
  traffic: sites.traffic,
  spam: sites.spam,
  price: sites.publicPriceUsdCents,
  tat: sites.tatDays,
};

/** Converts a filter to an SQL condition. A range filter excludes sites whose metric is unknown. */
export function siteCondition(filter: SiteFilter & { ids?: readonly number[] | undefined }): SQL | undefined {
  return and(
    filter.ids && inArray(sites.id, [...filter.ids]),
    ...splitSearchWords(filter.q).map((word) => sql`${sites.searchText} like lower(${`%${escapeLike(word)}%`})`),
    filter.niche ? eq(sites.niche, filter.niche) : undefined,
    filter.country ? eq(sites.country, filter.country) : undefined,
    filter.language ? eq(sites.language, filter.language) : undefined,
    filter.postType ? eq(sites.postType, filter.postType) : undefined,
    filter.followType && eq(sites.followType, filter.followType),
    ...inRange(metrics.dr, filter.minDr, filter.maxDr),
    ...inRange(metrics.da, filter.minDa, filter.maxDa),
    ...inRange(metrics.traffic, filter.minTraffic, filter.maxTraffic),
    ...inRange(metrics.spam, filter.minSpam, filter.maxSpam),
    ...inRange(metrics.price, filter.minPrice, filter.maxPrice),
    ...inRange(metrics.tat, filter.minTat, filter.maxTat),
  );
}

/** Returns the ORDER BY expressions: the sort key with unknown values last, then the id. Defaults to ascending price. */
export function siteOrder({ sort = 'price', order = 'asc' }: Pick<SiteFilter, 'sort' | 'order'>): SQL[] {
  const direction = order === 'desc' ? desc : asc;
  if (sort === 'added') return [direction(sites.id)];
  const column = sort === 'name' ? sites.name : metrics[sort];
  const key = sort === 'name' || order === 'asc' ? direction(column) : sql`${direction(column)} nulls last`;
  return [key, direction(sites.id)];
}

function inRange(column: PgColumn, low: number | undefined, high: number | undefined): (SQL | undefined)[] {
  return [low === undefined ? undefined : gte(column, low), high === undefined ? undefined : lte(column, high)];
}

/** Splits a search text into words. Each word must occur in the site's name or URL. */
export function splitSearchWords(q: string | undefined): string[] {
  return (q ?? '').split(/\s+/).filter((word) => word !== '');
}

/** Escapes the wildcards of LIKE. */
function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
