import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import type { Actor } from '@/lib/access/actor';
import { reverseTestCredits } from '@/lib/payments/reversals/reverse-test-credits';
import { getProviderSettings, type ProviderSettings, resolveMode } from './admin-config';
import { savePaymentConfig } from './config';
import { providerForms, secretMask } from './fields';
import { requireSameAccount } from './require-same-account';
import { parseConfigChanges, parseMode } from './schemas';
import { configWarnings } from './warnings';

export type SavedConfig = { settings: ProviderSettings; mode: ProviderMode; warnings: Record<string, string> };

/**
 * Saves changes of a provider's form. Each mode has its own values. A value equal to the mask keeps the stored secret,
 * an empty secret is deleted, and `mode` in the body makes that mode active.
 * @param requestedMode the mode to change when the body has no `mode`; by default the active mode
 * @param reverseTestCreditsCents the sum of test credits, in USD cents, that the admin confirmed to remove on going
 * live
 * @returns the new settings, the changed mode, and warnings about the values
 * @throws AppError invalid_input for unknown fields and modes; conflict when going live would leave test credits in
 * wallets (see reverseTestCredits), and for another account while refunds or payouts of the stored one are in progress
 */
export async function updateProviderConfig(
  actor: Actor,
  provider: PaymentProviderName,
  body: Record<string, unknown>,
  requestedMode?: string,
  reverseTestCreditsCents?: number,
): Promise<SavedConfig> {
  const { mode: chosen, values } = parseConfigChanges(provider, body);
  const parsedMode = parseMode(provider, requestedMode);
  const before = await getProviderSettings(provider);
  const mode = chosen ?? parsedMode ?? resolveMode(before);
  const { fields, secrets, removed } = diffConfig(before, mode, values);
  // The first stored values make their mode active, unless the request names a mode to prepare.
  const shouldActivate = chosen !== undefined || (before.activeMode === null && parsedMode === undefined);
  const isChange =
    (shouldActivate && before.activeMode !== mode) ||
    removed.length > 0 ||
    Object.keys(fields).length + Object.keys(secrets).length > 0;
  if (isChange) {
    const changes = { provider, mode, fields, secrets, removed };
    const isSwitch = shouldActivate && before.activeMode !== mode;
    await savePaymentConfig(actor, { ...changes, activate: isSwitch }, async (tx) => {
      const known = before.modes.find((one) => one.mode === mode)?.fields ?? {};
      await requireSameAccount(tx, { provider, mode, known, changed: fields });
      if (isSwitch && mode === 'live') await reverseTestCredits(tx, actor, provider, reverseTestCreditsCents);
    });
  }
  const settings = isChange ? await getProviderSettings(provider) : before;
  return { settings, mode, warnings: configWarnings(provider, mode, values) };
}

/** Returns the values that differ from the stored ones. */
function diffConfig(before: ProviderSettings, mode: ProviderMode, values: Readonly<Record<string, string>>) {
  const known = before.modes.find((one) => one.mode === mode);
  const fields: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  const removed: string[] = [];
  for (const { name, isSecret } of providerForms[before.provider].fields) {
    const value = values[name];
    if (value === undefined || value === secretMask) continue;
    if (!isSecret) {
      if (value !== (known?.fields[name] ?? '')) fields[name] = value;
    } else if (value !== '') secrets[name] = value;
    else if (known?.stored.includes(name)) removed.push(name);
  }
  return { fields, secrets, removed };
}
