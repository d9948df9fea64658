import { sql } from 'drizzle-orm';
import { cache } from 'react';
import { prepared } from '@/db/prepared';
import { catalogueStamps } from '@/db/schema/catalogue';
import { searchWords } from './filter-sql';
import type { SitesQuery } from './schemas';
import { writeCursor } from './site-cursor';

/** The catalogue's version in SQL, for a query that asks something else as well. */
export const catalogueVersion = sql<string>`(select coalesce(string_agg(${catalogueStamps.stamp}::text, ' ' order by ${catalogueStamps.slot}), 'new') from ${catalogueStamps})`;

const statement = prepared((on) =>
  on
    .select({ version: catalogueVersion.as('version') })
    .from(sql`(values (1)) as once`)
    .prepare('catalogue_version'),
);

/**
 * The version of what buyers see. Two equal versions mean equal catalogues: every committed write that touches a
 * listed site changes it (db/schema/catalogue.ts), whichever instance made it, and none ever comes back. A page reads it
 * once (React `cache`).
 */
export const readCatalogueVersion = cache(async (): Promise<string> => {
  const [row] = await statement().execute();
  if (!row) throw new Error('The database did not tell the version of the catalogue.');
  return row.version;
});

/**
 * One text for all ways of asking for the same sites in the same order: blank parameters, defaults spelt out, letters
 * of another case in a search and the sequence of ids or parameters make no difference.
 */
export function pageKey(query: SitesQuery): string {
  const { sort = 'price', order = 'asc', limit, offset = 0, cursor } = query;
  return `${filterKey(query)} ${JSON.stringify([sort, order, limit ?? null, offset, cursor ? writeCursor(cursor) : null])}`;
}

/** The same for what is counted: order and page do not matter. */
export function filterKey(query: SitesQuery): string {
  const { q, ids, sort, order, limit, offset, cursor, total, ...filters } = query;
  return JSON.stringify([
    searchWords(q)
      .map((word) => word.toLowerCase())
      .sort(),
    ids?.toSorted((one, other) => one - other) ?? null,
    ...Object.entries(filters)
      .filter(([, value]) => value !== undefined && value !== '')
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  ]);
}
