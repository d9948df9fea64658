import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';
import { isListed } from './listed';

export type SiteFacets = { countries: string[]; languages: string[] };

const pairs = z.array(z.object({ country: z.string(), language: z.string() }));

/**
 * The countries and languages that listed sites have, for filters. Steps from pair to pair along sites_listed_facets_idx
 * instead of reading every site: the cost is that of the pairs.
 */
export async function listSiteFacets(): Promise<SiteFacets> {
  const found = await db().execute(sql`
    with recursive pair as (
      (select country, language from sites where ${isListed} order by country, language limit 1)
      union all
      select following.country, following.language
      from pair, lateral (
        select sites.country, sites.language from sites
        where ${isListed} and (sites.country, sites.language) > (pair.country, pair.language)
        order by sites.country, sites.language limit 1
      ) following
    )
    select country, language from pair`);
  const rows = pairs.parse([...found]);
  const sorted = (names: string[]) => [...new Set(names)].sort();
  return {
    countries: sorted(rows.map(({ country }) => country)),
    languages: sorted(rows.map(({ language }) => language)),
  };
}
