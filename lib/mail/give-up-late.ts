import { and, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { letTakeLong } from '../../db/let-take-long';
import { mails } from '../../db/schema/mails';
import { recordAudit } from '../audit/record';
import { systemActor } from '../auth/actor';

/** Resend keeps an idempotency key 24 hours from its first use; a try must end before. */
const keySeconds = 23 * 60 * 60;

/** What is left of a mail that needs no further try: not its body, which may hold a link that opens an account. */
export const forgotten = { html: '', text: '', sealedBody: null };

/**
 * Gives up the mails that it is too late for: their link has run out, or the first try was so long ago that another one
 * might send them twice. The audit log tells.
 * @returns how many there were
 */
export async function giveUpLateMails(): Promise<number> {
  return db().transaction(async (tx) => {
    // After a long while without a way to send mail there may be any number.
    await letTakeLong(tx);
    const late = await tx
      .update(mails)
      .set({
        ...forgotten,
        failedAt: sql`now()`,
        error: sql`case when ${mails.expiresAt} <= now() then 'Expired before it could be sent.'
          else 'Given up a day after the first try.' end || coalesce(' Last: ' || ${mails.error}, '')`,
      })
      .where(
        and(
          isNull(mails.sentAt),
          isNull(mails.failedAt),
          // Not one that an instance is sending at this moment: that moves it forward.
          lte(mails.nextAttemptAt, sql`now()`),
          or(
            lte(mails.expiresAt, sql`now()`),
            and(
              isNotNull(mails.firstTriedAt),
              lt(mails.firstTriedAt, sql`now() - make_interval(secs => ${keySeconds})`),
            ),
          ),
        ),
      )
      .returning({ id: mails.id, to: mails.recipient, subject: mails.subject, error: mails.error });
    await recordAudit(
      tx,
      systemActor('Mail', 'job'),
      ...late.map(({ id, to, subject, error }) => ({
        action: 'mail.given_up',
        details: `“${subject}” to ${to} was not sent. ${error}`,
        entityType: 'mail',
        entityId: id,
      })),
    );
    return late.length;
  });
}
