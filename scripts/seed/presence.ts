import { inArray, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { bellReads } from '@/db/schema/bell-reads';
import { users } from '@/db/schema/users';
import { daysBefore } from './days';
import { demoEmails } from './people';

/**
 * Sets when each user was last seen: shortly after the user's last action of the history, the demo accounts today. The
 * demo accounts have read all but the notifications of the last days. Call it after the history has its dates.
 */
export async function seedPresence(now: Date): Promise<void> {
  await db()
    .update(users)
    .set({
      lastSeenAt: sql`least(${now.toISOString()}::timestamptz - interval '2 hours', interval '25 minutes' + greatest(
        users.created_at,
        (select max(created_at) from orders where account_id = users.id),
        (select max(created_at) from topups where account_id = users.id),
        (select max(at) from placement_events where actor_id = users.id),
        (select max(at) from order_messages where author_id = users.id),
        (select max(updated_at) from sites where owner_id = users.id)))`,
      updatedAt: sql`users.updated_at`,
    });
  const demo = inArray(users.email, Object.values(demoEmails));
  await db()
    .update(users)
    .set({ lastSeenAt: daysBefore(now, 0.1), updatedAt: sql`users.updated_at` })
    .where(demo);
  const accounts = await db().select({ userId: users.id }).from(users).where(demo);
  await db()
    .insert(bellReads)
    .values(accounts.map(({ userId }) => ({ userId, readAt: daysBefore(now, 3) })))
    .onConflictDoNothing();
}
