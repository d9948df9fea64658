import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client';
import { mails } from '../../db/schema/mails';
import { composeMail, type MailContent } from './compose';

export type Mail = MailContent & {
  /** How long it is worth sending; without it, always. */
  expiresInSeconds?: number;
};

/** Puts a mail into the outbox, in the transaction of its cause. `deliverMails` sends it after the commit. */
export async function queueMail(tx: Executor, { expiresInSeconds, ...content }: Mail): Promise<void> {
  const composed = await composeMail(tx, content);
  if (composed.length === 0) return;
  // Null in, null out: one statement for all mails.
  const expiresAt = sql`now() + make_interval(secs => ${expiresInSeconds ?? null}::float)`;
  await tx.insert(mails).values(composed.map((mail) => ({ ...mail, expiresAt })));
}
