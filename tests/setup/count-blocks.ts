import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';

const total = z.tuple([z.object({ blocks: z.coerce.number() })]);

/** Returns the number of blocks of tables and indexes read so far, cached or not. */
async function countBlocks(): Promise<number> {
  await db().execute(sql`select pg_stat_force_next_flush()`);
  const rows = await db().execute(sql`
    select sum(coalesce(heap_blks_read + heap_blks_hit, 0) + coalesce(idx_blks_read + idx_blks_hit, 0)) as blocks
    from pg_statio_user_tables`);
  return total.parse([...rows])[0].blocks;
}

/**
 * Returns the number of blocks that a call reads. Requires DATABASE_POOL_MAX=1, so that the statistics of one connection
 * cover every statement of the call.
 */
export async function blocksOf(call: () => Promise<unknown>): Promise<number> {
  // The first call reads the system catalogs and compiles the plan.
  await call();
  const before = await countBlocks();
  await call();
  return (await countBlocks()) - before;
}
