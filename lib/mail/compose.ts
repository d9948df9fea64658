import { plainTextSelectors, render } from '@react-email/render';
import { sql } from 'drizzle-orm';
import { compile } from 'html-to-text';
import type { ReactElement } from 'react';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import { insertRows } from '@/db/insert-rows';
import { mails } from '@/db/schema/mails';
import { inAccount } from '@/lib/access/account-choice';
import { env } from '@/lib/env';
import { newId } from '@/lib/ids';
import { type KeyRing, openSecret, parseKeyRing, type SecretSlot, sealSecret } from '@/lib/platform/secrets';
import type { Branding } from '@/lib/settings/branding/branding';
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

export type MailContent = {
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

/** Converts as `toPlainText` of react-email, which compiles the options for each mail: that takes five times as long. */
const toPlainText = compile({ wordwrap: false, selectors: plainTextSelectors });

/**
 * Renders a mail once for all recipients and encrypts the body for each. Line breaks in the subject are removed, which
 * prevents header injection.
 */
export async function composeMail(
  branding: Branding,
  { kind, to, subject: about, account, sender, news: line, body }: MailContent,
): Promise<ComposedMail[]> {
  const recipients = typeof to === 'string' ? [to] : to;
  if (recipients.length === 0) return [];
  const html = await render(body({ branding, appUrl: env().APP_URL, ofAccount: account }));
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
  expiresInSeconds?: number | null;
};

/**
 * Adds a mail to the outbox, in the transaction of its cause. `deliverMails` sends it after the commit, together with others
 * if its kind may wait and it has a line.
 */
export async function queueMail(tx: Executor, { expiresInSeconds = null, ...content }: Mail): Promise<void> {
  if (content.to.length === 0) return;
  // A second connection could deadlock the pool.
  const branding = await getBranding(tx);
  await insertMails(tx, await toOutboxRows(branding, content, expiresInSeconds), expiresInSeconds);
}

/** Composes mails for the outbox; `insertMails` adds them, in one statement. */
export async function composeMails(branding: Branding, mails: readonly MailContent[]): Promise<OutboxRow[]> {
  const rows = await Promise.all(mails.map((mail) => toOutboxRows(branding, mail)));
  return rows.flat();
}

type OutboxRow = ComposedMail & { priority: number; gathersFor: string | null };

async function toOutboxRows(
  branding: Branding,
  content: MailContent,
  expiresInSeconds: number | null = null,
): Promise<OutboxRow[]> {
  // One order makes a mail for each member of the staff. Behind those, a mail to its buyer would arrive late.
  const priority = expiresInSeconds ? 1 : typeof content.to === 'string' ? 2 : 3;
  const gathersFor = (waitOf(content.kind) && content.news?.userId) ?? null;
  return (await composeMail(branding, content)).map((mail) => ({ ...mail, priority, gathersFor }));
}

/** Adds composed mails to the outbox, in the transaction of their cause. @param expiresInSeconds null for none */
export const insertMails = (tx: Executor, rows: readonly OutboxRow[], expiresInSeconds: number | null = null) =>
  insertMailRows(tx, rows, { expiresInSeconds });

const insertMailRows = insertRows(
  mails,
  ['id', 'kind', 'recipient', 'subject', 'sealedBody', 'priority', 'gathersFor'],
  // A null interval gives a null timestamp, so one statement serves all mails.
  { computed: { expiresAt: sql`now() + make_interval(secs => ${sql.placeholder('expiresInSeconds')}::float)` } },
);
