import { z } from 'zod';
import { env } from '@/lib/env';
import { type KeyRing, openSecret, parseKeyRing, type SecretSlot, sealSecret } from '@/lib/platform/secrets';

/** The HTML and plain text of a mail. They may contain a link that gives access to an account. */
export type MailBody = { html: string; text: string };

const bodySchema = z.object({ html: z.string(), text: z.string() });

/** Binds an encrypted body to its mail: it cannot be decrypted in another row. */
export const mailSlot = (id: string): SecretSlot => ({ provider: 'mail', mode: id, field: 'body' });

/** Encrypts a body for the outbox with the first of SECRET_KEYS, so that a copy of the database contains no links. */
export function sealBody(id: string, { html, text }: MailBody): string {
  return sealSecret(mailSlot(id), JSON.stringify({ html, text }));
}

/** @throws UnreadableSecret when the key is no longer in SECRET_KEYS, or the text belongs to another mail */
export function openBody(id: string, sealed: string, ring: KeyRing = parseKeyRing(env().SECRET_KEYS)): MailBody {
  return bodySchema.parse(JSON.parse(openSecret(mailSlot(id), sealed, ring)));
}
