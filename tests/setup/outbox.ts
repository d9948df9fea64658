import { asc, eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { mails } from '@/db/schema/mails';
import { openBody } from '@/lib/mail/compose';

/** The outbox's mails to an address, oldest first, with decrypted bodies. Both body fields of a sent mail are empty. */
export async function outboxOf(email: string) {
  const rows = await db()
    .select()
    .from(mails)
    .where(eq(mails.recipient, email))
    .orderBy(asc(mails.createdAt), asc(mails.id));
  return rows.map((row) => ({
    ...row,
    ...(row.sealedBody === null ? { html: '', text: '' } : openBody(row.id, row.sealedBody)),
  }));
}

/** The state of the outbox's only mail to an address, and the whole seconds until its next attempt. */
export async function outboxRow(email: string) {
  const [row] = await db()
    .select({
      id: mails.id,
      attempts: mails.attempts,
      sentAt: mails.sentAt,
      failedAt: mails.failedAt,
      sealedBody: mails.sealedBody,
      error: mails.error,
      waitSeconds: sql<number>`round(extract(epoch from ${mails.nextAttemptAt} - now()))::float`,
    })
    .from(mails)
    .where(eq(mails.recipient, email));
  if (!row) throw new Error(`No mail to ${email}`);
  return row;
}
