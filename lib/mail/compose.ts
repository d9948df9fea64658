import { render, toPlainText } from '@react-email/render';
import { sql } from 'drizzle-orm';
import type { ReactElement } from 'react';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import { mails } from '@/db/schema/mails';
import { env } from '@/lib/env';
import { newId } from '@/lib/ids';
import { type KeyRing, openSecret, parseKeyRing, type SecretSlot, sealSecret } from '@/lib/platform/secrets';
import { getBranding } from '@/lib/settings/branding/get-branding';
import type { MailSender } from './smtp';
import type { MailContext } from './templates/frame';

/** The HTML and plain text of a mail. They may contain a link that gives access to an account. */
type MailBody = { html: string; text: string; sender?: MailSender | undefined };

const bodySchema = z.object({
  html: z.string(),
  text: z.string(),
  sender: z.object({ name: z.string(), replyTo: z.string(), stopUrl: z.string() }).optional(),
});

/** Binds an encrypted body to its mail: it cannot be decrypted in another row. */
export const mailSlot = (id: string): SecretSlot => ({ provider: 'mail', mode: id, field: 'body' });

/** Encrypts a body for the outbox with the first of SECRET_KEYS, so that a copy of the database contains no links. */
export function sealBody(id: string, { html, text, sender }: MailBody): string {
  return sealSecret(mailSlot(id), JSON.stringify({ html, text, sender }));
}

/** Decrypts a body. @throws UnreadableSecret when the key is not in SECRET_KEYS, or the text is of another mail */
export function openBody(id: string, sealed: string, ring: KeyRing = parseKeyRing(env().SECRET_KEYS)): MailBody {
  return bodySchema.parse(JSON.parse(openSecret(mailSlot(id), sealed, ring)));
}

type MailContent = {
  kind: string;
  /** One address, or several recipients who each receive a separate mail; nothing is sent when empty. */
  to: string | readonly string[];
  subject: string;
  /** The sender in place of the site, from its address. */
  sender?: MailSender;
  /** Creates the body; the same element renders the HTML and the plain text. */
  body: (context: MailContext) => ReactElement;
};

/** A row of the outbox. */
type ComposedMail = {
  id: string;
  kind: string;
  recipient: string;
  subject: string;
  sealedBody: string;
};

/**
 * Renders a mail once for all recipients and encrypts the body for each. Line breaks in the subject are removed, which
 * prevents header injection.
 * @param executor the caller's transaction; a second connection could deadlock the pool
 */
async function composeMail(
  executor: Executor,
  { kind, to, subject, sender, body }: MailContent,
): Promise<ComposedMail[]> {
  const recipients = typeof to === 'string' ? [to] : to;
  if (recipients.length === 0) return [];
  const html = await render(body({ branding: await getBranding(executor), appUrl: env().APP_URL }));
  const text = toPlainText(html);
  return recipients.map((recipient) => {
    const id = newId();
    return {
      id,
      kind,
      recipient,
      subject: subject.replace(/[\r\n]+/g, ' '),
      sealedBody: sealBody(id, { html, text, sender }),
    };
  });
}

export type Mail = MailContent & {
  /** How long the mail may be sent; unlimited by default. */
  expiresInSeconds?: number;
};

/** Adds a mail to the outbox, in the transaction of its cause. `deliverMails` sends it after the commit. */
export async function queueMail(tx: Executor, { expiresInSeconds, ...content }: Mail): Promise<void> {
  const composed = await composeMail(tx, content);
  if (composed.length === 0) return;
  // A null interval gives a null timestamp, so one statement serves all mails.
  const expiresAt = sql`now() + make_interval(secs => ${expiresInSeconds ?? null}::float)`;
  // One order makes a mail for each member of the staff. Behind those, a mail to its buyer would arrive late.
  const priority = expiresInSeconds ? 1 : typeof content.to === 'string' ? 2 : 3;
  await tx.insert(mails).values(composed.map((mail) => ({ ...mail, expiresAt, priority })));
}
