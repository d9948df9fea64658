import { and, count, type SQL, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { sites } from '../../db/schema/sites';
import { siteCondition } from './filter-sql';
import { isListed } from './listed';
import type { SitesQuery } from './schemas';

/** Where a capped count stops. */
export const countCap = 1_000;

export type ListedCount = { total: number; isCapped: boolean };

/**
 * How many listed sites match; a capped count stops at 1,000, so that it costs the same for any catalogue.
 * @param also a further condition, of one person's list: it has no place in the memory that all share
 */
export async function countListed(filter: SitesQuery, kind: 'exact' | 'capped', also?: SQL): Promise<ListedCount> {
  const where = and(isListed, siteCondition(filter), also);
  if (kind === 'exact') {
    const [counted] = await db().select({ total: count() }).from(sites).where(where);
    return { total: counted?.total ?? 0, isCapped: false };
  }
  const some = db()
    .select({ one: sql`1`.as('one') })
    .from(sites)
    .where(where)
    .limit(countCap + 1)
    .as('some');
  const [counted] = await db().select({ total: count() }).from(some);
  const total = counted?.total ?? 0;
  return { total: Math.min(total, countCap), isCapped: total > countCap };
}
