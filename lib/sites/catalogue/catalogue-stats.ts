import { count, max } from 'drizzle-orm';
import { db } from '@/db/client';
import { sites } from '@/db/schema/sites';
import { isListed } from './listed';

/** The number of listed sites and the maximum of each metric; 0 for a metric that no site has. */
export type CatalogueStats = {
  sites: number;
  topDa: number;
  topDr: number;
  /** Visits per month. */
  topTraffic: number;
  topKeywords: number;
};

/** Public pages show these figures, so the cache limits the queries that anonymous traffic can cause. */
const cacheTtlMs = 10 * 60_000;
let cached: { figures: CatalogueStats; at: number } | undefined;

/** Returns summary figures of the catalogue, at most ten minutes old. */
export async function getCatalogueStats(): Promise<CatalogueStats> {
  if (cached && Date.now() - cached.at < cacheTtlMs) return cached.figures;
  const figures = await queryStats();
  cached = { figures, at: Date.now() };
  return figures;
}

async function queryStats(): Promise<CatalogueStats> {
  const [row] = await db()
    .select({
      sites: count(),
      topDa: max(sites.da),
      topDr: max(sites.dr),
      topTraffic: max(sites.traffic),
      topKeywords: max(sites.keywordsCount),
    })
    .from(sites)
    .where(isListed);
  return {
    sites: row?.sites ?? 0,
    topDa: row?.topDa ?? 0,
    topDr: row?.topDr ?? 0,
    topTraffic: row?.topTraffic ?? 0,
    topKeywords: row?.topKeywords ?? 0,
  };
}
