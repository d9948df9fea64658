import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import type { ProviderSettings } from '@/lib/payments/config/admin-config';
import { privateKeyField, providerForms, secretMask } from '@/lib/payments/config/fields';

export type ConfigValues = Readonly<Record<string, string>>;

/** The stored settings of one mode as form values. A stored secret is a mask. */
export type ModeForm = { mode: ProviderMode; values: ConfigValues; hasPrivateKey: boolean };

export function modeForms({ provider, modes }: ProviderSettings): ModeForm[] {
  return modes.map(({ mode, fields, stored }) => ({
    mode,
    values: Object.fromEntries(
      providerForms[provider].fields.map(({ name, isSecret }) => {
        const masked = stored.includes(name) ? secretMask : '';
        return [name, isSecret ? masked : (fields[name] ?? '')];
      }),
    ),
    hasPrivateKey: stored.includes(privateKeyField),
  }));
}

/**
 * Returns the fields that differ from the stored values. Unchanged fields are not sent, so a mask never replaces a
 * secret.
 */
export function changedValues(stored: ConfigValues, edited: ConfigValues): Record<string, string> {
  return Object.fromEntries(
    Object.entries(edited).filter(([name, value]) => value !== stored[name] && value !== secretMask),
  );
}

export const configPath = (provider: PaymentProviderName, mode: ProviderMode) =>
  `/api/admin/payments/${provider}/config?mode=${mode}`;
