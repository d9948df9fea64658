import { setTimeout } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';

/** The interval at which open transactions are looked at again, in milliseconds. */
const pollMs = 20;

const sequenceRow = z.object({ position: z.coerce.number() });
const writers = z.array(z.object({ id: z.string() }));

/**
 * Returns a position below which no transfer can appear anymore. An insert locks the table before it takes a position
 * and until its transaction ends. So every transaction that holds a position up to the sequence's current value is
 * among those that hold the lock afterwards, and when these have ended, their transfers are visible or were rolled back.
 * Nothing is remembered between runs: transaction ids differ after a restore.
 * @returns null when one of these transactions is still open at `endsAt` (milliseconds)
 */
export async function findSettledPosition(endsAt: number): Promise<number | null> {
  const rows = await db().execute(
    sql`select case when is_called then last_value else 0 end as position from ledger.transfers_position_seq`,
  );
  const { position } = sequenceRow.parse(rows[0]);
  let waiting = new Set(await listWriters());
  while (waiting.size > 0) {
    if (Date.now() >= endsAt) return null;
    await setTimeout(pollMs);
    waiting = new Set((await listWriters()).filter((id) => waiting.has(id)));
  }
  return position;
}

/** Lists the transactions that may insert transfers. */
async function listWriters(): Promise<string[]> {
  const rows = await db().execute(sql`
    select virtualtransaction as id from pg_locks
    where locktype = 'relation' and relation = 'ledger.transfers'::regclass and mode = 'RowExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())`);
  return writers.parse(rows).map(({ id }) => id);
}
