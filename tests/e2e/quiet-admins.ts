import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { mailOptOuts } from '@/db/schema/mail-opt-outs';
import { mails } from '@/db/schema/mails';
import { users } from '@/db/schema/users';

/**
 * Turns off the mails about new orders for the admins that earlier tests made. Each order would be told to all of them,
 * and the mails that a test waits for would stand behind hundreds that nobody reads. The
 * newest keep theirs: a test under way may look at them. Security notices cannot be turned off; those that wait for these
 * admins are deleted.
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
