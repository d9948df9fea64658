import { render, toPlainText } from '@react-email/render';
import { sql } from 'drizzle-orm';
import type { ReactElement } from 'react';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import { mails } from '@/db/schema/mails';
import { inAccount } from '@/lib/access/account-choice';
import { env } from '@/lib/env';
import { newId } from '@/lib/ids';
import { type KeyRing, openSecret, parseKeyRing, type SecretSlot, sealSecret } from '@/lib/platform/secrets';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { waitOf } from './preferences';
import type { MailSender } from './smtp';
import type { MailContext } from './templates/frame';

/** The HTML and plain text of a mail. They may contain a link that gives access to an account. */
type MailBody = { html: string; text: string; sender?: MailSender | undefined; news?: NewsLine | undefined };

/** The line of a mail that is sent together with others, and the path of the page that it leads to. */
export type NewsLine = { text: string; path: string };

const bodySchema = z.object({
  html: z.string(),
  text: z.string(),
  sender: z.object({ name: z.string(), replyTo: z.string(), stopUrl: z.string() }).optional(),
  news: z.object({ text: z.string(), path: z.string() }).optional(),
});

/** Binds an encrypted body to its mail: it cannot be decrypted in another row. */
export const mailSlot = (id: string): SecretSlot => ({ provider: 'mail', mode: id, field: 'body' });

/** Encrypts a body for the outbox with the first of SECRET_KEYS, so that a copy of the database contains no links. */
export function sealBody(id: string, { html, text, sender, news }: MailBody): string {
  return sealSecret(mailSlot(id), JSON.stringify({ html, text, sender, news }));
}

/** Decrypts a body. @throws UnreadableSecret when the key is not in SECRET_KEYS, or the text is of another mail */
export function openBody(id: string, sealed: string, ring: KeyRing = parseKeyRing(env().SECRET_KEYS)): MailBody {
  return bodySchema.parse(JSON.parse(openSecret(mailSlot(id), sealed, ring)));
}

/** The account that a mail to a member is about. The personal one of the recipient has no name and is only linked. */
export type MailAccount = { id: string; name: string };

type MailContent = {
  kind: string;
  /** One address, or several recipients who each receive a separate mail; nothing is sent when empty. */
  to: string | readonly string[];
  subject: string;
  /** Named in the subject, and chosen by the button and by the line's link. */
  account?: MailAccount | undefined;
  /** The sender in place of the site, from its address. */
  sender?: MailSender;
  /** What the mail says in one line, to a user: kinds that may wait are sent together (lib/mail/gather.ts). */
  news?: NewsLine & { userId: string };
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
export async function composeMail(
  executor: Executor,
  { kind, to, subject: about, account, sender, news: line, body }: MailContent,
): Promise<ComposedMail[]> {
  const recipients = typeof to === 'string' ? [to] : to;
  if (recipients.length === 0) return [];
  const html = await render(body({ branding: await getBranding(executor), appUrl: env().APP_URL, ofAccount: account }));
  const text = toPlainText(html);
  const prefix = account?.name ? `${account.name}: ` : '';
  const subject = `${prefix}${about}`;
  const news =
    account && line ? { ...line, text: `${prefix}${line.text}`, path: inAccount(line.path, account.id) } : line;
  return recipients.map((recipient) => {
    const id = newId();
    return {
      id,
      kind,
      recipient,
      subject: subject.replace(/[\r\n]+/g, ' '),
      sealedBody: sealBody(id, { html, text, sender, news }),
    };
  });
}

export type Mail = MailContent & {
  /** How long the mail may be sent; unlimited by default. */
  expiresInSeconds?: number;
};

/**
 * Adds a mail to the outbox, in the transaction of its cause. `deliverMails` sends it after the commit, together with others
 * if its kind may wait and it has a line.
 */
export async function queueMail(tx: Executor, { expiresInSeconds, ...content }: Mail): Promise<void> {
  const composed = await composeMail(tx, content);
  if (composed.length === 0) return;
  // A null interval gives a null timestamp, so one statement serves all mails.
  const expiresAt = sql`now() + make_interval(secs => ${expiresInSeconds ?? null}::float)`;
  // One order makes a mail for each member of the staff. Behind those, a mail to its buyer would arrive late.
  const priority = expiresInSeconds ? 1 : typeof content.to === 'string' ? 2 : 3;
  const gathersFor = (waitOf(content.kind) && content.news?.userId) ?? null;
  await tx.insert(mails).values(composed.map((mail) => ({ ...mail, expiresAt, priority, gathersFor })));
}
