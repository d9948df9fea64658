import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';
import { mails } from '../../db/schema/mails';
import { env } from '../env';
import { type KeyRing, openSecret, parseKeyRing, type SecretSlot, sealSecret } from '../platform/secrets';

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

/** The number of rows per transaction. */
const batchSize = 100;

/**
 * Encrypts the bodies of mails that the previous version has queued, also during an update. Safe to run on several
 * instances: locked rows are skipped.
 */
export async function sealClearBodies(): Promise<void> {
  for (let sealed = batchSize; sealed === batchSize; ) {
    sealed = await db().transaction(async (tx) => {
      const clear = await tx
        .select({ id: mails.id, html: mails.html, text: mails.text })
        .from(mails)
        .where(
          and(
            isNull(mails.sentAt),
            isNull(mails.failedAt),
            isNull(mails.sealedBody),
            sql`${mails.html} || ${mails.text} <> ''`,
          ),
        )
        .orderBy(asc(mails.id))
        .limit(batchSize)
        .for('update', { skipLocked: true });
      for (const { id, ...body } of clear) {
        await tx
          .update(mails)
          .set({ html: '', text: '', sealedBody: sealBody(id, body) })
          .where(eq(mails.id, id));
      }
      return clear.length;
    });
  }
}
