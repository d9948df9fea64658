import { count, max } from 'drizzle-orm';
import { db } from '@/db/client';
import { sites } from '@/db/schema/sites';
import { isListed } from './listed';

/** The number of listed sites and the maximum of each metric; 0 for a metric that no site has. */
export type ListedFigures = {
  sites: number;
  topDa: number;
  topDr: number;
  /** Visits per month. */
  topTraffic: number;
  topKeywords: number;
};

/** Public pages show these figures, so the cache limits the queries that anonymous traffic can cause. */
const keptForMs = 10 * 60_000;
let kept: { figures: ListedFigures; at: number } | undefined;

/** Returns summary figures of the catalogue, at most ten minutes old. */
export async function getListedFigures(): Promise<ListedFigures> {
  if (kept && Date.now() - kept.at < keptForMs) return kept.figures;
  const figures = await readFigures();
  kept = { figures, at: Date.now() };
  return figures;
}

async function readFigures(): Promise<ListedFigures> {
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
