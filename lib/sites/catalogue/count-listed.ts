import { and, count, type SQL, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { sites } from '@/db/schema/sites';
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

/** How many there are: exactly, or at least so many when `isCapped`. */
export type SiteCount = { total: number; isCapped: boolean };

/** How many sites match; with a cap it stops there, so that it costs the same for any number of them. */
export async function countSites(where: SQL | undefined, cap?: number): Promise<SiteCount> {
  const [counted] = await countQuery(where, cap);
  const total = counted?.total ?? 0;
  return cap === undefined ? { total, isCapped: false } : { total: Math.min(total, cap), isCapped: total > cap };
}

/** The statement of `countSites`: it counts one more than the cap, to tell whether there are more. */
export function countQuery(where: SQL | undefined, cap?: number) {
  if (cap === undefined) return db().select({ total: count() }).from(sites).where(where);
  const some = db()
    .select({ one: sql`1`.as('one') })
    .from(sites)
    .where(where)
    .limit(cap + 1)
    .as('some');
  return db().select({ total: count() }).from(some);
}
