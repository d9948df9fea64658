import { eq, sql } from 'drizzle-orm';
import { figureMetrics } from '@/db/enums';
import { domainFigures } from '@/db/schema/domain-figures';
import { sites } from '@/db/schema/sites';
import type { Reader } from '@/db/snapshot';
import type { Figure } from '@/lib/sites/responses';
import { selectBestFigures } from './rank';

/** Lists the best known figure of each metric of a listing, with its source and day. */
export async function listFigures(on: Reader, site: { id: number }): Promise<Figure[]> {
  const best = sql`lateral (${selectBestFigures(figureMetrics)}) as best`;
  const rows = await on
    .select({
      metric: sql<Figure['metric']>`best.metric`,
      value: sql`best.value`.mapWith(domainFigures.value),
      source: sql<Figure['source']>`best.source`,
      asOf: sql<string>`best.as_of::text`,
    })
    .from(sites)
    .crossJoin(best)
    .where(eq(sites.id, site.id));
  return rows.sort((one, other) => figureMetrics.indexOf(one.metric) - figureMetrics.indexOf(other.metric));
}
