import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { linkCheckCursor, linkChecks } from '@/db/schema/links';
import type { Transaction } from '@/db/transaction';

const result = z.tuple([z.object({ last: z.coerce.number().nullable(), old: z.int(), removed: z.int() })]);

/**
 * Deletes checks that are older than a year and repeat what the checks before and after them found; passports stay. Each
 * check is read once, in the order of the ids, when it is a year old. While another instance does so, nothing is deleted.
 * @param batchSize checks that one transaction reads
 * @param maxBatches transactions of this call
 * @returns the number of deleted checks
 */
export async function removeRepeatedChecks({ batchSize, maxBatches }: { batchSize: number; maxBatches: number }) {
  let removed = 0;
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const done = await db().transaction((tx) => removeBatch(tx, batchSize));
    removed += done.removed;
    if (done.old < batchSize) break;
  }
  return removed;
}

async function removeBatch(tx: Transaction, batchSize: number): Promise<{ old: number; removed: number }> {
  await tx.insert(linkCheckCursor).values({}).onConflictDoNothing();
  const [cursor] = await tx.select().from(linkCheckCursor).for('update', { skipLocked: true });
  if (!cursor) return { old: 0, removed: 0 };
  // The filter follows the limit, so that no check behind the first newer one is read.
  const [{ last, old, removed }] = result.parse([
    ...(await tx.execute(sql`
      with old as (
        select id from (select id, at from ${linkChecks} where id > ${cursor.position} order by id limit ${batchSize}) as next
        where at < now() - interval '1 year'
      ),
      removed as (
        delete from ${linkChecks} as c using old where c.id = old.id and repeats_link_check(c) returning c.id
      )
      select (select max(id) from old) as last, (select count(*) from old)::int as old,
        (select count(*) from removed)::int as removed`)),
  ]);
  if (last !== null) await tx.update(linkCheckCursor).set({ position: last });
  return { old, removed };
}
