import { and, lt, notInArray, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { users } from '@/db/schema/users';

/**
 * Suspends the staff that earlier tests made. Each order, approval and security notice would be mailed to all of them, and
 * the mails that a test waits for would queue behind hundreds of others. The newest staff stay active, because a running
 * test may use them.
 */
export async function suspendEarlierStaff(): Promise<void> {
  const isOfTest = sql`${users.email} ~ '^[0-9a-z]{26}@example\\.com$'`;
  await db()
    .update(users)
    .set({ status: 'Suspended' })
    .where(
      and(notInArray(users.role, ['User', 'Seller']), isOfTest, lt(users.createdAt, sql`now() - interval '3 minutes'`)),
    );
}
