import { and, count, type SQL, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { sites } from '@/db/schema/sites';
import { siteCondition } from './filter-sql';
import { isListed } from './listed';
import type { SitesQuery } from './schemas';

/** The limit of a capped count. */
export const countCap = 1_000;

export type ListedCount = SiteCount;

/**
 * Counts the listed sites that match a filter. A capped count stops at 1,000, so its cost does not depend on the size of
 * the catalogue.
 * @param also an additional condition specific to one user; such counts must not be cached for all users
 */
export function countListed(filter: SitesQuery, kind: 'exact' | 'capped', also?: SQL): Promise<ListedCount> {
  return countSites(and(isListed, siteCondition(filter), also), kind === 'capped' ? countCap : undefined);
}

/** A number of sites: exact, or a lower bound if `isCapped`. */
export type SiteCount = { total: number; isCapped: boolean };

/** Counts the sites that match a condition. With a cap, counting stops there. */
export async function countSites(where: SQL | undefined, cap?: number): Promise<SiteCount> {
  const [counted] = await countQuery(where, cap);
  const total = counted?.total ?? 0;
  return cap === undefined ? { total, isCapped: false } : { total: Math.min(total, cap), isCapped: total > cap };
}

/** Builds the statement of `countSites`. It counts one row more than the cap to detect further rows. */
function countQuery(where: SQL | undefined, cap?: number) {
  if (cap === undefined) return db().select({ total: count() }).from(sites).where(where);
  const some = db()
    .select({ one: sql`1`.as('one') })
    .from(sites)
    .where(where)
    .limit(cap + 1)
    .as('some');
  return db().select({ total: count() }).from(some);
}
