import { env } from '../env';
import { filterKey, pageKey } from './catalogue-key';
import { readCatalogueVersion } from './catalogue-version';
import { countListed, type ListedCount } from './count-listed';
import { type ListedPage, listListedPage } from './listed-page';
import type { SitesQuery } from './schemas';
import { listSiteFacets, type SiteFacets } from './site-facets';
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

/** How much of CATALOGUE_CACHE_MB goes to what. The rest is for answers (lib/sites/answer-catalogue.ts). */
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
