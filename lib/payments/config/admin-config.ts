import { and, desc, eq } from 'drizzle-orm';
import type { z } from 'zod';
import { db } from '@/db/client';
import { paymentConfigs, paymentModes } from '@/db/schema/payment-configs';
import { eventPositions, type PaymentProviderName, type ProviderMode, webhookEvents } from '@/db/schema/topups';
import type { providerConfigAnswer } from './answers';
import { privateKeyField, providerForms, secretMask } from './fields';

/** What an admin may see of one mode's values: plain fields as stored, of secrets only whether they are there. */
type StoredConfig = {
  mode: ProviderMode;
  fields: Readonly<Record<string, string>>;
  /** Names of the secrets that are stored. */
  stored: readonly string[];
};

/** A provider's settings: the mode in force, or null when it was never set up, and the values of each mode. */
export type ProviderSettings = {
  provider: PaymentProviderName;
  modeInForce: ProviderMode | null;
  modes: readonly StoredConfig[];
};

/** Reads a provider's settings without decrypting anything: a lost key must not lock the admin out of this screen. */
export async function getProviderSettings(provider: PaymentProviderName): Promise<ProviderSettings> {
  const [rows, [inForce]] = await Promise.all([
    db().select().from(paymentConfigs).where(eq(paymentConfigs.provider, provider)),
    db().select().from(paymentModes).where(eq(paymentModes.provider, provider)),
  ]);
  return {
    provider,
    modeInForce: inForce?.mode ?? null,
    modes: providerForms[provider].modes.map((mode) => {
      const row = rows.find((one) => one.mode === mode);
      return { mode, fields: row?.fields ?? {}, stored: Object.keys(row?.secrets ?? {}) };
    }),
  };
}

/** The mode whose values are meant when nobody says: the one in force, or the harmless one of a new installation. */
export function modeMeant({ provider, modeInForce }: ProviderSettings): ProviderMode {
  return modeInForce ?? providerForms[provider].modes[0] ?? 'test';
}

/** When the provider last reported something in a mode, properly signed; null for never. */
export async function lastNotificationAt(provider: PaymentProviderName, mode: ProviderMode): Promise<Date | null> {
  const [last] = await db()
    .select({ receivedAt: webhookEvents.receivedAt })
    .from(webhookEvents)
    .where(and(eq(webhookEvents.provider, provider), eq(webhookEvents.mode, mode)))
    .orderBy(desc(webhookEvents.id))
    .limit(1);
  return last?.receivedAt ?? null;
}

/** How far a provider's own list of events was read in a mode (lib/payments/webhooks/catch-up.ts); null before the first reading. */
export async function findEventPosition(provider: PaymentProviderName, mode: ProviderMode) {
  const [position] = await db()
    .select({ checkedAt: eventPositions.checkedAt, error: eventPositions.error, failedAt: eventPositions.failedAt })
    .from(eventPositions)
    .where(and(eq(eventPositions.provider, provider), eq(eventPositions.mode, mode)));
  return position ?? null;
}

export type EventPosition = Awaited<ReturnType<typeof findEventPosition>>;

/**
 * The contract's answer for one mode (spec 001, sections 3 and 7): its plain fields, has_* for what is secret, and the
 * mask where a form shows a secret as a field of its own.
 */
export function providerConfigView(
  settings: ProviderSettings,
  mode = modeMeant(settings),
): z.output<typeof providerConfigAnswer> {
  const values = settings.modes.find((one) => one.mode === mode);
  const field = (name: string) => values?.fields[name] ?? '';
  const has = (name: string) => values?.stored.includes(name) ?? false;
  const masked = (name: string) => (has(name) ? secretMask : '');
  switch (settings.provider) {
    case 'stripe':
      return {
        mode,
        publishable_key: field('publishable_key'),
        has_secret: has('secret_key'),
        has_webhook: has('webhook_secret'),
      };
    case 'paypal':
      return {
        mode,
        client_id: field('client_id'),
        webhook_id: field('webhook_id'),
        has_secret: has('client_secret'),
        has_webhook: field('webhook_id') !== '',
      };
    case 'wechat':
      return {
        mode,
        mchid: field('mchid'),
        appid: field('appid'),
        serial_no: field('serial_no'),
        has_api_v3_key: has('api_v3_key'),
        api_v3_key: masked('api_v3_key'),
        has_private_key: has(privateKeyField),
        public_key_id: field('public_key_id'),
        public_key: field('public_key'),
      };
  }
}
