import { z } from 'zod';
import { type PaymentProviderName, type ProviderMode, paymentProviders, providerModes } from '@/db/schema/topups';
import { choiceParam, integerParam } from '@/lib/platform/http/fields';
import { parseInput } from '@/lib/platform/http/parse';
import { type ConfigField, providerForms } from './fields';

export const providerParams = z.object({
  provider: z.enum(paymentProviders, { error: `Choose one of ${paymentProviders.join(', ')}.` }),
});

/** The mode to read, by default the active mode. `parseMode` validates it against the provider's modes. */
export const configQuery = z.object({ mode: choiceParam(providerModes).optional() });

/**
 * Query of a change: the sum of test credits that the admin confirmed to remove from wallets when the provider goes
 * live.
 */
export const configChangeQuery = configQuery.extend({
  reverseTestCreditsCents: integerParam(0, Number.MAX_SAFE_INTEGER).optional(),
});

/** The shape of the body depends on the provider; see `parseConfigChanges`. */
export const configBody = z.record(z.string().max(100), z.unknown());

function modeField(provider: PaymentProviderName) {
  const { modes } = providerForms[provider];
  return z.enum(modes, { error: `Choose one of ${modes.join(', ')}.` });
}

/** Parses the optional `mode` parameter. @throws AppError invalid_input for a mode that the provider does not have */
export function parseMode(provider: PaymentProviderName, mode: string | undefined): ProviderMode | undefined {
  return parseInput(z.object({ mode: modeField(provider).optional() }), { mode }).mode;
}

/**
 * Parses the changed fields of a provider's form, and the mode.
 * @throws AppError invalid_input for an unknown field or a value that is not a string
 */
export function parseConfigChanges(provider: PaymentProviderName, body: Record<string, unknown>) {
  const { fields } = providerForms[provider];
  const shape = Object.fromEntries(fields.map((field) => [field.name, valueField(field)]));
  const { mode, ...values } = parseInput(
    z.strictObject(
      { ...shape, mode: modeField(provider).optional() },
      { error: ({ code, keys }) => (code === 'unrecognized_keys' ? `Unknown field: ${String(keys)}.` : undefined) },
    ),
    body,
  );
  return { mode, values: z.record(z.string(), z.string()).parse(values) };
}

/** Trims the value: pasted keys often contain a space or a line break. */
const valueField = ({ maxLength }: ConfigField) =>
  z.string('Enter text.').trim().max(maxLength, `Use at most ${maxLength} characters.`).exactOptional();

const mode = z.enum(providerModes);

/** A provider's settings for one mode. The response never contains a secret, only whether it is stored. */
export const providerConfigResponse = z
  .union([
    z.object({ mode, publishable_key: z.string(), has_secret: z.boolean(), has_webhook: z.boolean() }),
    z.object({
      mode,
      client_id: z.string(),
      webhook_id: z.string(),
      has_secret: z.boolean(),
      has_webhook: z.boolean(),
    }),
    z.object({
      mode,
      mchid: z.string(),
      appid: z.string(),
      serial_no: z.string(),
      has_api_v3_key: z.boolean(),
      api_v3_key: z.string().describe('The mask, or empty if none is stored.'),
      has_private_key: z.boolean(),
      public_key_id: z.string(),
      public_key: z.string(),
    }),
  ])
  .meta({ title: 'ProviderConfig' });

const warnings = z.record(z.string(), z.string()).describe('Warnings by field; the values are saved regardless.');

/** PUT /api/admin/payments/{provider}/config: the new state. */
export const savedProviderConfigResponse = z
  .union(providerConfigResponse.options.map((option) => option.extend({ warnings })))
  .meta({ title: 'SavedProviderConfig' });

/** POST /api/admin/payments/wechat/private-key. */
export const privateKeyResponse = z.object({ ok: z.literal(true), has_private_key: z.literal(true) });

/** POST /api/payments/{stripe,paypal}/webhook. */
export const receivedResponse = z.object({ received: z.literal(true) });
