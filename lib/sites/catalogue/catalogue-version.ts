import { sql } from 'drizzle-orm';
import { cache } from 'react';
import { prepared } from '@/db/prepared';
import { catalogueStamps } from '@/db/schema/catalogue';
import { splitSearchWords } from '@/lib/network/search-words';
import { encodeCursor, type SitesQuery } from './schemas';

/** The catalogue's version as an SQL expression, for use inside another query. */
export const catalogueVersion = sql<string>`(select coalesce(string_agg(${catalogueStamps.stamp}::text, ' ' order by ${catalogueStamps.slot}), 'new') from ${catalogueStamps})`;

/**
 * Builds the condition that a server has the catalog of a version. A replica proves with it that it lags behind in nothing
 * that every buyer sees.
 */
export const isAtVersion = (version: string) => sql<boolean>`${catalogueVersion} = ${version}`;

const statement = prepared((on) =>
  on
    .select({ version: catalogueVersion.as('version') })
    .from(sql`(values (1)) as once`)
    .prepare('catalogue_version'),
);

/**
 * Reads the version of the catalogue. Equal versions mean equal catalogues: every committed write to a listed site
 * changes the version (db/schema/catalogue.ts), on any instance, and versions are never reused. React `cache` limits
 * this to one read per page.
 */
export const getCatalogueVersion = cache(async (): Promise<string> => {
  const [row] = await statement().execute();
  if (!row) throw new Error('The query for the catalog version returned no row.');
  return row.version;
});

/**
 * Returns a cache key that is equal for equivalent queries: it ignores blank parameters, explicit defaults, the case of
 * search words, and the order of ids and parameters.
 */
export function pageKey(query: SitesQuery): string {
  const { sort = 'price', order = 'asc', limit, offset = 0, cursor } = query;
  return `${filterKey(query)} ${JSON.stringify([sort, order, limit ?? null, offset, cursor ? encodeCursor(cursor) : null])}`;
}

/** Returns a cache key for counts, which do not depend on sort order or page. */
export function filterKey(query: SitesQuery): string {
  const { q, ids, sort, order, limit, offset, cursor, total, ...filters } = query;
  return JSON.stringify([
    splitSearchWords(q)
      .map((word) => word.toLowerCase())
      .sort(),
    ids?.toSorted((one, other) => one - other) ?? null,
    ...Object.entries(filters)
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  ]);
}
