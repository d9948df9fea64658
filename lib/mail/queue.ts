import { render, toPlainText } from '@react-email/render';
import { sql } from 'drizzle-orm';
import type { ReactElement } from 'react';
import type { Executor } from '../../db/client';
import { mails } from '../../db/schema/mails';
import { env } from '../env';
import { newId } from '../ids';
import { getBranding } from '../settings/get-branding';
import type { MailContext } from './templates/frame';

export type Mail = {
  kind: string;
  /** One address, or several people who each get a mail of their own; for none, nothing is made. */
  to: string | readonly string[];
  subject: string;
  /** Makes the body; the same element gives the HTML and the plain text. */
  body: (context: MailContext) => ReactElement;
  /** How long it is worth sending; without it, always. */
  expiresInSeconds?: number;
};

/**
 * Puts a mail into the outbox, in the transaction of its cause. `deliverMails` sends it after the commit.
 * The subject keeps no line breaks, so that no text can add a header.
 */
export async function queueMail(tx: Executor, { kind, to, subject, body, expiresInSeconds }: Mail): Promise<void> {
  const recipients = typeof to === 'string' ? [to] : to;
  if (recipients.length === 0) return;
  const element = body({ branding: await getBranding(tx), appUrl: env().APP_URL });
  // Rendered once, however many get it, and the text made from that: the transaction of the cause waits meanwhile.
  const html = await render(element);
  const text = toPlainText(html);
  await tx.insert(mails).values(
    recipients.map((recipient) => ({
      id: newId(),
      kind,
      recipient,
      subject: subject.replace(/[\r\n]+/g, ' '),
      html,
      text,
      // Null in, null out: one statement for all mails.
      expiresAt: sql`now() + make_interval(secs => ${expiresInSeconds ?? null}::float)`,
    })),
  );
}
