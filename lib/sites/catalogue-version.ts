import { sql } from 'drizzle-orm';
import { cache } from 'react';
import { prepared } from '../../db/prepared';
import { catalogueStamps } from '../../db/schema/catalogue';

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
