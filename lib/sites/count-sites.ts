import { count, type SQL, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { sites } from '../../db/schema/sites';

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
