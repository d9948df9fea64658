import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { type DeliveryChannel, deliveryChannels } from '@/db/enums';
import { deliveryProviders } from '@/db/schema/invoice-deliveries';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { judgeUrl } from '@/lib/links/address-rules';
import { recordAudit } from '@/lib/platform/audit/record';
import { versionField } from '@/lib/platform/http/fields';
import { createConflictError } from '@/lib/platform/optimistic-lock';
import { type SecretSlot, sealSecret } from '@/lib/platform/secrets';
import { channelNames } from './channel-names';
import { renewWaiting } from './queue';

type ProviderRow = typeof deliveryProviders.$inferSelect;

/** Binds the encrypted key of a provider to its channel. */
export const deliveryKeySlot = (channel: DeliveryChannel): SecretSlot => ({
  provider: 'invoice-delivery',
  mode: channel,
  field: 'key',
});

/** The rules of `callAddress` by the text of the address, and only a path, to which the id of a document is added. */
const url = z
  .string()
  .trim()
  .max(500, 'Use at most 500 characters.')
  .transform((text, context) => {
    const judged = judgeUrl(text);
    if (typeof judged !== 'string' && judged.url.protocol === 'https:' && !/[?#]/.test(text))
      return judged.url.href.replace(/\/+$/, '');
    context.addIssue({ code: 'custom', message: 'Enter the public https address of the provider, without a query.' });
    return z.NEVER;
  });

const key = z
  .string()
  .trim()
  .min(8, 'The key must have at least 8 characters.')
  .max(4_000, 'The key can have at most 4,000 characters.')
  .regex(/^[\x21-\x7e]+$/, 'The key can contain only plain letters, digits and symbols, without spaces.');

export const saveProviderInput = z.object({
  channel: z.enum(deliveryChannels, 'Choose a channel.'),
  isOn: z.boolean(),
  url,
  /** A new key, or an empty string to keep the stored one. */
  key: z.union([z.literal(''), key]),
  version: versionField,
});

/** A provider on its screen: without the key. `version` is 0 before it is saved. */
export type ProviderView = Pick<ProviderRow, 'channel' | 'isOn' | 'url' | 'lastFour' | 'version'>;

/** Lists the providers of all channels, also of those that were never set. */
export async function listProviders(): Promise<ProviderView[]> {
  const { channel, isOn, url, lastFour, version } = deliveryProviders;
  const rows = await db().select({ channel, isOn, url, lastFour, version }).from(deliveryProviders);
  return deliveryChannels.map(
    (name) =>
      rows.find((row) => row.channel === name) ?? { channel: name, isOn: false, url: '', lastFour: '', version: 0 },
  );
}

/**
 * Saves the provider of a channel. Another host needs the key again: a stored key is never sent to a host that it was not
 * entered for. The audit log contains the last four characters of the key only.
 * @throws AppError invalid_input without a key; conflict for a stale `version`
 */
export async function saveProvider(actor: Actor, input: z.output<typeof saveProviderInput>): Promise<void> {
  const { channel, isOn, url, key, version } = input;
  const name = channelNames[channel];
  await db().transaction(async (tx) => {
    const [before] = await tx
      .select()
      .from(deliveryProviders)
      .where(eq(deliveryProviders.channel, channel))
      .for('update');
    if (key === '' && (!before || new URL(before.url).host !== new URL(url).host)) {
      const message = before ? 'Enter the key again: the address has another host.' : 'Enter the key.';
      throw new AppError('invalid_input', message, { fields: { key: message } });
    }
    if ((before?.version ?? 0) !== version) throw createConflictError(`The provider of ${name}`);
    const lastFour = key === '' ? (before?.lastFour ?? '') : key.slice(-4);
    const values = {
      ...{ isOn, url, lastFour },
      sealedKey: key === '' && before ? before.sealedKey : sealSecret(deliveryKeySlot(channel), key),
    };
    const saved = before
      ? await tx
          .update(deliveryProviders)
          .set({ ...values, version: sql`${deliveryProviders.version} + 1` })
          .where(eq(deliveryProviders.channel, channel))
          .returning({ channel: deliveryProviders.channel })
      : await tx
          .insert(deliveryProviders)
          .values({ channel, ...values })
          .onConflictDoNothing()
          .returning({ channel: deliveryProviders.channel });
    if (saved.length === 0) throw createConflictError(`The provider of ${name}`);
    if (isOn && !before?.isOn) await renewWaiting(tx, channel);
    await recordAudit(tx, actor, {
      action: 'invoice_delivery.provider_set',
      details: `Documents are ${isOn ? `sent by ${name} through ${new URL(url).host}` : `not sent by ${name}`}; the key ${key === '' ? 'was kept' : `ends in ${lastFour}`}.`,
      entityType: 'delivery_provider',
      entityId: channel,
      before: before && { isOn: before.isOn, url: before.url, lastFour: before.lastFour },
      after: { isOn, url, lastFour },
    });
  });
}
