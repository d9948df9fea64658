import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';

const total = z.tuple([z.object({ blocks: z.coerce.number() })]);

/** Returns the number of blocks of tables and indexes that the connection has read so far, cached or not. */
async function countBlocks(): Promise<number> {
  await db().execute(sql`select pg_stat_force_next_flush()`);
  // Of this connection only: those of the database include what autovacuum reads meanwhile.
  const rows = await db().execute(sql`
    select sum(coalesce(reads, 0) + coalesce(hits, 0)) as blocks
    from pg_stat_get_backend_io(pg_backend_pid()) where object = 'relation'`);
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
