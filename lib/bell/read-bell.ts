import { sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { bellReads } from '../../db/schema/bell-reads';
import type { Actor } from '../auth/actor';
import { type Bell, getBell } from './queries';

/** Opens a person's bell: answers what it tells, and remembers that all of it has been read. */
export async function readBell(actor: Actor): Promise<Bell> {
  const bell = await getBell(actor);
  const newest = bell.items[0]?.at;
  if (newest && bell.unread > 0) {
    // Until the newest one shown, not until now: what is told at this very moment stays unread. The answer's time has
    // no microseconds, which the database counts by.
    const readAt = sql`${newest}::timestamptz + interval '1 millisecond'`;
    await db()
      .insert(bellReads)
      .values({ userId: actor.userId, readAt })
      .onConflictDoUpdate({ target: bellReads.userId, set: { readAt } });
  }
  return bell;
}
