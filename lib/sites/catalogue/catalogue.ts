import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { CappedCount } from '@/db/count-up-to';
import { onReplica, type Reading } from '@/db/replicas';
import { env } from '@/lib/env';
import { filterKey, getCatalogueVersion, isAtVersion, pageKey } from './catalogue-version';
import { isListed } from './filter-sql';
import { countListed, type ListedPage, listListedPage } from './listed-sites';
import type { SitesQuery } from './schemas';
import { createVersionedCache, type VersionedCache } from './versioned-cache';

/** The catalogue as buyers see it, at the version it was opened with or a newer one. */
export type Catalogue = {
  version: string;
  page(query: SitesQuery): Promise<ListedPage>;
  count(filter: SitesQuery, kind: 'exact' | 'capped'): Promise<CappedCount>;
  facets(): Promise<SiteFacets>;
};

type CatalogueCaches = {
  pages: VersionedCache<ListedPage>;
  counts: VersionedCache<CappedCount>;
  facets: VersionedCache<SiteFacets>;
};

// On globalThis, because the build may load this module separately for pages and for route handlers.
const globalCaches: typeof globalThis & { linkmarketCatalogue?: CatalogueCaches } = globalThis;

/** Approximate memory of a row with 22 fields. */
const rowBytes = 1_000;

/** Shares of CATALOGUE_CACHE_MB. The remainder holds responses (lib/sites/catalogue/respond-with-catalogue.ts). */
const shares = { pages: 0.2, counts: 0.05, facets: 0.05 };

function createCaches(): CatalogueCaches {
  const bytes = env().CATALOGUE_CACHE_MB * 1_000_000;
  return {
    pages: createVersionedCache(bytes * shares.pages, ({ rows }) => rows.length * rowBytes),
    counts: createVersionedCache(bytes * shares.counts, () => 100),
    facets: createVersionedCache(bytes * shares.facets, (facets) => JSON.stringify(facets).length * 2),
  };
}

/**
 * Opens the catalogue at its current version and serves repeated queries at this version from memory. The cache only
 * holds data that every buyer may see.
 * @param version the current version, if the caller has just read it
 */
export async function openCatalogue(version?: string): Promise<Catalogue> {
  const at = version ?? (await getCatalogueVersion());
  globalCaches.linkmarketCatalogue ??= createCaches();
  const { pages, counts, facets } = globalCaches.linkmarketCatalogue;
  const read = <T>(make: (on: Reading) => Promise<T>) => onReplica({ proof: isAtVersion(at) }, make);
  return {
    version: at,
    page: (query) => pages.read(at, pageKey(query), () => read((on) => listListedPage(query, undefined, on))),
    count: (filter, kind) =>
      counts.read(at, `${kind} ${filterKey(filter)}`, () => read((on) => countListed(filter, kind, undefined, on))),
    facets: () => facets.read(at, 'facets', () => read(listFacets)),
  };
}

type SiteFacets = { countries: string[]; languages: string[] };

const pairs = z.array(z.object({ country: z.string(), language: z.string() }));

/**
 * Lists the countries and languages of listed sites, for filters. Uses a loose index scan over
 * sites_listed_facets_idx: the cost depends on the number of distinct pairs, not on the number of sites.
 */
async function listFacets(on: Reading): Promise<SiteFacets> {
  const found = await on.execute(sql`
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
