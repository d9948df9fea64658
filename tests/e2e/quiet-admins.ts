import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { mailOptOuts } from '@/db/schema/mail-opt-outs';
import { mails } from '@/db/schema/mails';
import { users } from '@/db/schema/users';

/**
 * Turns off the new-order mails of admins from earlier tests. Each order would be mailed to all of them, and the mails
 * that a test waits for would queue behind hundreds of others. The newest admins keep theirs, because a running test
 * may read them. Security notices cannot be turned off; queued ones for these admins are deleted.
 */
export async function quietAdmins(): Promise<void> {
  const earlier = db()
    .select({
      userId: users.id,
      kind: sql<string>`'new-order'`.as('kind'),
      createdAt: sql<Date>`now()`.as('created_at'),
    })
    .from(users)
    .where(and(eq(users.role, 'Admin'), lt(users.createdAt, sql`now() - interval '5 minutes'`)));
  await db().insert(mailOptOuts).select(earlier).onConflictDoNothing();
  const addresses = db()
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.role, 'Admin'), lt(users.createdAt, sql`now() - interval '5 minutes'`)));
  await db()
    .delete(mails)
    .where(and(eq(mails.kind, 'security-notice'), isNull(mails.sentAt), inArray(mails.recipient, addresses)));
}
