import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '../../../db/client';
import { copiedColumns } from './copy-line';

const counted = z.tuple([z.object({ count: z.number() })]);
const columns = sql.raw(copiedColumns.join(', '));

/**
 * Inserts the staged rows as sites of one owner, in the order of the file and in one statement. What the owner already
 * lists for that post type, or what stands earlier in the file, is left out (decision 16).
 * @returns how many were inserted
 */
export async function insertStaged(tx: Executor, ownerId: string): Promise<number> {
  const rows = await tx.execute(sql`
    with written as (
      insert into sites (owner_id, ${columns})
      select ${ownerId}::text, ${columns} from import_rows
      on conflict (owner_id, url_key, post_type) where deleted_at is null do nothing
      returning 1
    )
    select count(*)::integer as count from written`);
  return counted.parse([...rows])[0].count;
}

/** How many of the staged rows `insertStaged` would insert. */
export async function countStaged(tx: Executor, ownerId: string): Promise<number> {
  const rows = await tx.execute(sql`
    select count(*)::integer as count
    from (select distinct url_key, post_type from import_rows) as wanted
    where not exists (
      select from sites
      where owner_id = ${ownerId} and deleted_at is null
        and sites.url_key = wanted.url_key and sites.post_type = wanted.post_type
    )`);
  return counted.parse([...rows])[0].count;
}
