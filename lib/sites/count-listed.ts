import { and, type SQL } from 'drizzle-orm';
import { countSites, type SiteCount } from './count-sites';
import { siteCondition } from './filter-sql';
import { isListed } from './listed';
import type { SitesQuery } from './schemas';

/** Where a capped count stops. */
export const countCap = 1_000;

export type ListedCount = SiteCount;

/**
 * How many listed sites match; a capped count stops at 1,000, so that it costs the same for any catalogue.
 * @param also a further condition, of one person's list: it has no place in the memory that all share
 */
export function countListed(filter: SitesQuery, kind: 'exact' | 'capped', also?: SQL): Promise<ListedCount> {
  return countSites(and(isListed, siteCondition(filter), also), kind === 'capped' ? countCap : undefined);
}
