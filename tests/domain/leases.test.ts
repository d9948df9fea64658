import { sql } from 'drizzle-orm';
import { integer, pgTable, timestamp } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { isDue, secondsFromNow } from '@/lib/platform/leases';

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
});
