import type { PaymentProviderName, ProviderMode } from '../../db/schema/topups';
import { AppError } from '../errors';
import { adapterFor } from './adapters';
import { activeModes, type PaymentConfig, paymentConfigOf, paymentConfigsOf } from './config';
import { providerNames } from './names';
import type { PaymentProvider } from './provider';

/**
 * The provider, ready to be called.
 * @param mode the mode of an intent that exists; without it the mode in force
 * @throws AppError not_configured
 */
export async function openProvider(name: PaymentProviderName, mode?: ProviderMode): Promise<PaymentProvider> {
  const wanted = mode ?? (await activeModes()).get(name);
  const config = wanted ? await paymentConfigOf(name, wanted) : null;
  const adapter = config && adapterFor(config);
  if (!adapter) throw new AppError('not_configured', `${providerNames[name]} is not set up here.`);
  return adapter.open(config);
}

/** The provider in every mode that is set up: a notification may belong to any of them. */
export async function openProviderInAllModes(name: PaymentProviderName): Promise<PaymentProvider[]> {
  const configs = await paymentConfigsOf(name);
  return configs.flatMap((config) => openIfUsable(config) ?? []);
}

/** Null for a mode with keys that cannot be used: it must not keep the other mode's notifications from being read. */
function openIfUsable(config: PaymentConfig): PaymentProvider | null {
  try {
    return adapterFor(config)?.open(config) ?? null;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_configured') return null;
    throw thrown;
  }
}
