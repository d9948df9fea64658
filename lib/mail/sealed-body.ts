import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';
import { mails } from '../../db/schema/mails';
import { env } from '../env';
import { type KeyRing, openSecret, parseKeyRing, type SecretSlot, sealSecret } from '../platform/secrets';

/** Both forms of a mail's text. They may hold a link that opens an account. */
export type MailBody = { html: string; text: string };

const bodySchema = z.object({ html: z.string(), text: z.string() });

/** Binds a sealed body to its mail: copied into another row, it does not open. */
export const mailSlot = (id: string): SecretSlot => ({ provider: 'mail', mode: id, field: 'body' });

/** Encrypts a body for the outbox with the first of SECRET_KEYS: a copy of the database holds no link in clear. */
export function sealBody(id: string, { html, text }: MailBody): string {
  return sealSecret(mailSlot(id), JSON.stringify({ html, text }));
}

/** @throws UnreadableSecret when the key is no longer in SECRET_KEYS, or the text belongs to another mail */
export function openBody(id: string, sealed: string, ring: KeyRing = parseKeyRing(env().SECRET_KEYS)): MailBody {
  return bodySchema.parse(JSON.parse(openSecret(mailSlot(id), sealed, ring)));
}

/** How many rows one transaction seals. */
const batchSize = 100;

/**
 * Seals the bodies that a version before sealed bodies left waiting, or writes beside this one during an update.
 * Safe to run on several instances at once: a row that another one holds is left to it.
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
