import { and, eq, inArray, isNull, lte, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { mails } from '../../db/schema/mails';
import { env } from '../env';
import { type SendResult, sendMail } from './send';

/** Seconds until the next try after the 1st, 2nd… failure; then the mail is given up. Each step is
 * shorter than the 24 hours Resend keeps an idempotency key, so that a lost answer is never sent twice. */
const backOffSeconds = [30, 120, 600, 3_600, 6 * 3_600, 12 * 3_600];

/** How long an instance may take for one batch before another one tries the same mails. */
const leaseSeconds = 120;

/**
 * Sends what is due, a batch at a time, until nothing is. Any number of instances may run it: claiming moves a mail's
 * due time forward, so two never hold the same one, and the idempotency key covers an instance that dies in between.
 * @returns how many were sent and how many attempts failed
 */
export async function deliverMails(): Promise<{ sent: number; failed: number }> {
  const done = { sent: 0, failed: 0 };
  // Nobody to hand them to: they wait, and no attempt is used up.
  if (!env().RESEND_API_KEY) return done;
  for (let batch = await claim(); batch.length > 0; batch = await claim()) {
    const results = await Promise.all(batch.map(async (mail) => conclude(mail, await sendMail(mail))));
    for (const ok of results) done[ok ? 'sent' : 'failed'] += 1;
  }
  return done;
}

async function claim() {
  const due = db()
    .select({ id: mails.id })
    .from(mails)
    .where(and(isNull(mails.sentAt), isNull(mails.failedAt), lte(mails.nextAttemptAt, sql`now()`)))
    .orderBy(mails.nextAttemptAt)
    .limit(10)
    .for('update', { skipLocked: true });
  return db()
    .update(mails)
    .set({ attempts: sql`${mails.attempts} + 1`, nextAttemptAt: sql`now() + make_interval(secs => ${leaseSeconds})` })
    .where(inArray(mails.id, due))
    .returning({
      id: mails.id,
      to: mails.recipient,
      subject: mails.subject,
      html: mails.html,
      text: mails.text,
      attempts: mails.attempts,
    });
}

/** What is left of a mail that needs no further try: not its text, which may hold a link that opens an account. */
const forgotten = { html: '', text: '' };

async function conclude(mail: { id: string; attempts: number }, result: SendResult): Promise<boolean> {
  const wait = backOffSeconds[mail.attempts - 1];
  const change = result.ok
    ? { ...forgotten, sentAt: sql`now()`, error: null }
    : result.final || wait === undefined
      ? { ...forgotten, failedAt: sql`now()`, error: result.error }
      : { nextAttemptAt: sql`now() + make_interval(secs => ${wait})`, error: result.error };
  await db().update(mails).set(change).where(eq(mails.id, mail.id));
  return result.ok;
}
