import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import type { ProviderSettings } from '@/lib/payments/config/admin-config';
import { privateKeyField, providerForms, secretMask } from '@/lib/payments/config/fields';

export type ConfigValues = Readonly<Record<string, string>>;

/** One mode's form as it is stored: a stored secret shows as the mask. */
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

/** The fields that differ from what is stored: nothing else is sent (spec 001, section 5). */
export function changedValues(stored: ConfigValues, edited: ConfigValues): Record<string, string> {
  return Object.fromEntries(
    Object.entries(edited).filter(([name, value]) => value !== stored[name] && value !== secretMask),
  );
}

export const configPath = (provider: PaymentProviderName, mode: ProviderMode) =>
  `/api/admin/payments/${provider}/config?mode=${mode}`;
