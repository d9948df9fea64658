import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import type { Actor } from '../../access/actor';
import { reverseTestCredits } from '../reversals/reverse-test-credits';
import { getProviderSettings, modeMeant, type ProviderSettings } from './admin-config';
import { savePaymentConfig } from './config';
import { providerForms, secretMask } from './fields';
import { parseConfigChanges, readMode } from './schemas';
import { configWarnings } from './warnings';

export type SavedConfig = { settings: ProviderSettings; mode: ProviderMode; warnings: Record<string, string> };

/**
 * Saves what an admin changed in a provider's form. Each mode keeps values of its own. A value equal to the mask keeps
 * what is stored, an emptied secret is forgotten, and `mode` in the body puts that mode in force.
 * @param askedMode whose values are meant, when the body says no mode; without either the mode in force
 * @returns the settings as they now stand, the mode that was written, and what looks wrong about the sent values
 * @param reverseTestCreditsCents the sum of test credits that the admin confirmed to be removed on going live, USD cents
 * @throws AppError invalid_input for unknown fields and modes; conflict where going live leaves test money in wallets
 * (see reverseTestCredits); warnings never throw
 */
export async function updateProviderConfig(
  actor: Actor,
  provider: PaymentProviderName,
  body: Record<string, unknown>,
  askedMode?: string,
  reverseTestCreditsCents?: number,
): Promise<SavedConfig> {
  const { mode: chosen, values } = parseConfigChanges(provider, body);
  const asked = readMode(provider, askedMode);
  const before = await getProviderSettings(provider);
  const mode = chosen ?? asked ?? modeMeant(before);
  const { fields, secrets, removed } = changesOf(before, mode, values);
  // The first values ever stored are of the mode in force, unless somebody says that they only prepare a mode.
  const isInForce = chosen !== undefined || (before.modeInForce === null && asked === undefined);
  const isChange =
    (isInForce && before.modeInForce !== mode) ||
    removed.length > 0 ||
    Object.keys(fields).length + Object.keys(secrets).length > 0;
  if (isChange) {
    const changes = { provider, mode, fields, secrets, removed };
    const isSwitch = isInForce && before.modeInForce !== mode;
    await savePaymentConfig(
      actor,
      { ...changes, isInForce: isSwitch },
      isSwitch && mode === 'live'
        ? (tx) => reverseTestCredits(tx, actor, provider, reverseTestCreditsCents)
        : undefined,
    );
  }
  const settings = isChange ? await getProviderSettings(provider) : before;
  return { settings, mode, warnings: configWarnings(provider, mode, values) };
}

/** Of the sent values those that differ from what is stored. */
function changesOf(before: ProviderSettings, mode: ProviderMode, values: Readonly<Record<string, string>>) {
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
