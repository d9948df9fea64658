import { z } from 'zod';
import { type PaymentProviderName, type ProviderMode, paymentProviders } from '@/db/schema/topups';
import { parseInput } from '../../platform/http/parse';
import { type ConfigField, providerForms } from './fields';

export const providerParams = z.object({
  provider: z.enum(paymentProviders, { error: `Choose one of ${paymentProviders.join(', ')}.` }),
});

/** Which mode's values are meant; without it the mode in force. Read against the provider's own modes. */
export const configQuery = z.object({ mode: z.string().max(20).optional() });

/** For a change: what of test money the admin confirmed to be removed from wallets when the provider goes live. */
export const configChangeQuery = configQuery.extend({
  reverseTestCreditsCents: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
});

/** The body's own shape is the provider's: see `parseConfigChanges`. */
export const configBody = z.record(z.string().max(100), z.unknown());

function modeField(provider: PaymentProviderName) {
  const { modes } = providerForms[provider];
  return z.enum(modes, { error: `Choose one of ${modes.join(', ')}.` });
}

/** @throws AppError invalid_input for a mode the provider does not have; undefined for none */
export function readMode(provider: PaymentProviderName, mode: string | undefined): ProviderMode | undefined {
  return parseInput(modeField(provider).optional(), mode);
}

/**
 * Reads what changed in a provider's form: any of its fields, and the mode.
 * @throws AppError invalid_input for a field the provider does not have, and for what is no text
 */
export function parseConfigChanges(provider: PaymentProviderName, body: Record<string, unknown>) {
  const { fields } = providerForms[provider];
  const shape = Object.fromEntries(fields.map((field) => [field.name, entered(field)]));
  const { mode, ...values } = parseInput(
    z.strictObject(
      { ...shape, mode: modeField(provider).optional() },
      { error: ({ code, keys }) => (code === 'unrecognized_keys' ? `Unknown field: ${String(keys)}.` : undefined) },
    ),
    body,
  );
  return { mode, values: z.record(z.string(), z.string()).parse(values) };
}

/** Pasted keys often bring a space or a line break along. */
const entered = ({ maxLength }: ConfigField) =>
  z.string('Enter a text.').trim().max(maxLength, `Use at most ${maxLength} characters.`).exactOptional();
