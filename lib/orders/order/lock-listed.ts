import { and, asc, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { sites } from '@/db/schema/sites';
import { isListed } from '@/lib/sites/catalogue/filter-sql';
import { notAvailableError, type PricedItem } from './pricing';

/**
 * Requires that the ordered sites are still on sale. A change of their seller (lib/sites/own-bulk/change.ts) ends before
 * the order, which is then refused, or waits for it. Other updates of sites do not conflict with this lock, which the
 * foreign key of the order takes as well; here in id order, which prevents deadlocks.
 * @throws AppError conflict for a site that left the sale since its price was read
 */
export async function lockListed(tx: Executor, items: readonly Pick<PricedItem, 'siteId'>[]): Promise<void> {
  const ids = items.flatMap(({ siteId }) => siteId ?? []);
  if (ids.length === 0) return;
  const locked = await tx
    .select({ id: sites.id })
    .from(sites)
    .where(and(sql`${sites.id} = any(${sql.placeholder('ids')}::int[])`, isListed))
    .orderBy(asc(sites.id))
    .for('key share')
    .prepare('lock_listed')
    .execute({ ids });
  const onSale = new Set(locked.map(({ id }) => id));
  const gone = ids.find((id) => !onSale.has(id));
  if (gone !== undefined) throw notAvailableError(gone);
}
