import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { env } from '../../env';
import { filterKey, pageKey, readCatalogueVersion } from './catalogue-version';
import { countListed, type ListedCount } from './count-listed';
import { isListed } from './listed';
import { type ListedPage, listListedPage } from './listed-page';
import type { SitesQuery } from './schemas';
import { type VersionedCache, versionedCache } from './versioned-cache';

/** What buyers see, at the version it had when it was opened or a newer one. */
export type Catalogue = {
  version: string;
  page(query: SitesQuery): Promise<ListedPage>;
  count(filter: SitesQuery, kind: 'exact' | 'capped'): Promise<ListedCount>;
  facets(): Promise<SiteFacets>;
};

type Memory = {
  pages: VersionedCache<ListedPage>;
  counts: VersionedCache<ListedCount>;
  facets: VersionedCache<SiteFacets>;
};

// On globalThis, so that pages and handlers share it however the build divides them.
const holder: typeof globalThis & { linkmarketCatalogue?: Memory } = globalThis;

/** A row of 22 fields takes about this many bytes. */
const rowBytes = 1_000;

/** How much of CATALOGUE_CACHE_MB goes to what. The rest is for answers (lib/sites/catalogue/answer-catalogue.ts). */
const shares = { pages: 0.2, counts: 0.05, facets: 0.05 };

function openMemory(): Memory {
  const bytes = env().CATALOGUE_CACHE_MB * 1_000_000;
  return {
    pages: versionedCache(bytes * shares.pages, ({ rows }) => rows.length * rowBytes),
    counts: versionedCache(bytes * shares.counts, () => 100),
    facets: versionedCache(bytes * shares.facets, (facets) => JSON.stringify(facets).length * 2),
  };
}

/**
 * Opens the catalogue: reads its version, so that nothing older than this moment is shown, and answers from memory what
 * was asked before at this version. Only what every buyer may see ever stands in this memory.
 * @param version when the caller has just read it
 */
export async function openCatalogue(version?: string): Promise<Catalogue> {
  const at = version ?? (await readCatalogueVersion());
  holder.linkmarketCatalogue ??= openMemory();
  const { pages, counts, facets } = holder.linkmarketCatalogue;
  return {
    version: at,
    page: (query) => pages.read(at, pageKey(query), () => listListedPage(query)),
    count: (filter, kind) => counts.read(at, `${kind} ${filterKey(filter)}`, () => countListed(filter, kind)),
    facets: () => facets.read(at, 'facets', listSiteFacets),
  };
}

type SiteFacets = { countries: string[]; languages: string[] };

const pairs = z.array(z.object({ country: z.string(), language: z.string() }));

/**
 * The countries and languages that listed sites have, for filters. Steps from pair to pair along sites_listed_facets_idx
 * instead of reading every site: the cost is that of the pairs.
 */
async function listSiteFacets(): Promise<SiteFacets> {
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
