import { and, desc, eq } from 'drizzle-orm';
import type { z } from 'zod';
import { db } from '@/db/client';
import { eventPositions, type PaymentProviderName, type ProviderMode, webhookEvents } from '@/db/schema/topups';
import type { Service } from '@/lib/settings/service-answers';
import { readConfigs, readModes } from './config';
import type { providerConfigResponse } from './contract';
import { privateKeyField, providerForms, secretMask } from './fields';

/**
 * Returns a provider's active mode, null when it was never configured, and the values of each mode that an admin may see:
 * plain fields as stored, and the names of the stored secrets. Decrypts no secrets, so that the settings screen works
 * after an encryption key is lost.
 */
export async function getProviderSettings(provider: PaymentProviderName) {
  const [configs, modes] = await Promise.all([readConfigs(), readModes()]);
  const rows = configs.filter((row) => row.provider === provider);
  const inForce = modes.find((row) => row.provider === provider);
  return {
    provider,
    activeMode: inForce?.mode ?? null,
    modes: providerForms[provider].modes.map((mode) => {
      const row = rows.find((one) => one.mode === mode);
      return {
        mode,
        fields: row?.fields ?? {},
        stored: Object.keys(row?.secrets ?? {}),
        savedAt: row?.updatedAt ?? null,
      };
    }),
  };
}

export type ProviderSettings = Awaited<ReturnType<typeof getProviderSettings>>;

/** Returns the mode to use when the request names none: the active mode, or the test mode of a new installation. */
export function resolveMode({ provider, activeMode }: ProviderSettings): ProviderMode {
  return activeMode ?? providerForms[provider].modes[0] ?? 'test';
}

/** Returns a mode of a provider as a service: credentials that were saved since its last answer have not answered yet. */
export function getPaymentService({ provider, modes }: ProviderSettings, mode: ProviderMode): Service {
  const savedAt = modes.find((one) => one.mode === mode)?.savedAt;
  return { name: `${provider}:${mode}`, credentials: savedAt?.toISOString() ?? '' };
}

/** Returns the time of the last verified webhook event in a mode, or null when there was none. */
export async function getLastNotificationAt(provider: PaymentProviderName, mode: ProviderMode): Promise<Date | null> {
  const [last] = await db()
    .select({ receivedAt: webhookEvents.receivedAt })
    .from(webhookEvents)
    .where(and(eq(webhookEvents.provider, provider), eq(webhookEvents.mode, mode)))
    .orderBy(desc(webhookEvents.id))
    .limit(1);
  return last?.receivedAt ?? null;
}

/**
 * Returns the position in a provider's event list for a mode (lib/payments/webhooks/catch-up.ts), or null before the
 * first read.
 */
export async function findEventPosition(provider: PaymentProviderName, mode: ProviderMode) {
  const [position] = await db()
    .select({ checkedAt: eventPositions.checkedAt, error: eventPositions.error, failedAt: eventPositions.failedAt })
    .from(eventPositions)
    .where(and(eq(eventPositions.provider, provider), eq(eventPositions.mode, mode)));
  return position ?? null;
}

export type EventPosition = Awaited<ReturnType<typeof findEventPosition>>;

/**
 * Returns the API response for one mode: plain fields, `has_*` for secrets, and the mask for a secret that has a form
 * field.
 */
export function providerConfigView(
  settings: ProviderSettings,
  mode = resolveMode(settings),
): z.output<typeof providerConfigResponse> {
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
