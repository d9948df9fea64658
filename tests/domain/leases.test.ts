import { lte, sql } from 'drizzle-orm';
import { integer, pgTable, timestamp } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import { db, type Executor } from '@/db/client';
import { linkWatches } from '@/db/schema/links';
import { isDue, secondsFromNow } from '@/lib/platform/leases';
import { unguarded } from '@/tests/setup/audit-tampering';

const queue = pgTable('queue', { id: integer().primaryKey(), dueAt: timestamp('due_at') });

describe('the lease of due rows', () => {
  it.each(['hashjoin', 'nestloop'])('takes as many rows as its limit without the plan %s', async (plan) => {
    const leased = await db().transaction(async (tx) => {
      await tx.execute(sql`create temporary table queue (id integer, due_at timestamp) on commit drop`);
      await tx.execute(sql`insert into queue select n, now() - interval '1 hour' from generate_series(1, 50) n`);
      for (const name of new Set(['hashagg', 'mergejoin', 'memoize', 'material', 'sort', plan])) {
        await tx.execute(sql.raw(`set local enable_${name} = off`));
      }
      return tx
        .update(queue)
        .set({ dueAt: secondsFromNow(60) })
        .where(isDue({ id: queue.id, dueAt: queue.dueAt, where: undefined, limit: 3 }))
        .returning({ id: queue.id });
    });
    expect(leased).toHaveLength(3);
  });

  it('takes the rows that are due longest, and none that another worker is taking or that is not due', async () => {
    await unguarded(
      (tx) => tx`
        insert into link_watches (order_id, buyer_id, site_url, page_url, host, target_url, started_at, next_check_at)
        select n, '', '', '', '', '', now(), now() + hashint4(n) % 1000 * interval '1 minute'
        from generate_series(1, 40) as n`,
    );
    const { orderId, nextCheckAt } = linkWatches;
    const listDue = async () => {
      const rows = await db()
        .select({ orderId })
        .from(linkWatches)
        .where(lte(nextCheckAt, sql`now()`))
        .orderBy(nextCheckAt);
      return rows.map((row) => row.orderId);
    };
    const lease = async (on: Executor) => {
      const leased = await on
        .update(linkWatches)
        .set({ nextCheckAt: secondsFromNow(60) })
        .where(isDue({ id: orderId, dueAt: nextCheckAt, where: undefined, limit: 4 }))
        .returning({ orderId });
      return leased.map((row) => row.orderId);
    };
    const due = await listDue();
    const taken = await db().transaction(async (one) => [await lease(one), await lease(db())]);
    expect(taken.map((ids) => new Set(ids))).toEqual([new Set(due.slice(0, 4)), new Set(due.slice(4, 8))]);
    // The connection of a worker breaks.
    const broken = db().transaction(async (tx) => {
      await lease(tx);
      throw new Error('The worker was killed.');
    });
    await expect(broken).rejects.toThrow('killed');
    expect(await listDue()).toEqual(due.slice(8));
    const rest: number[] = [];
    for (let ids = await lease(db()); ids.length > 0; ids = await lease(db())) rest.push(...ids);
    expect(rest.toSorted()).toEqual(due.slice(8).toSorted());
  });
});
