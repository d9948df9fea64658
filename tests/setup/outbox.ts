import { asc, eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { mails } from '@/db/schema/mails';
import { openBody } from '@/lib/mail/sealed-body';

/** The outbox's mails to an address, oldest first, with decrypted bodies. Both body fields of a sent mail are empty. */
export async function outboxOf(email: string) {
  const rows = await db()
    .select()
    .from(mails)
    .where(eq(mails.recipient, email))
    .orderBy(asc(mails.createdAt), asc(mails.id));
  return rows.map((row) => (row.sealedBody === null ? row : { ...row, ...openBody(row.id, row.sealedBody) }));
}
