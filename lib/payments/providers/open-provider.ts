import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import { AppError } from '../../errors';

import { activeModes, enteredModesOf, type PaymentConfig, paymentConfigOf, readableConfig } from '../config/config';
import { providerNames } from './names';
import { isPayPalConfigured, payPalProvider } from './paypal/provider';
import type { PaymentProvider } from './provider';
import { isStripeConfigured, stripeProvider } from './stripe/provider';
import { isWeChatConfigured, weChatProvider } from './wechat/provider';

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

/** One mode of a provider, as far as a notification needs it. */
type WebhookReader = Pick<PaymentProvider, 'name' | 'mode' | 'parseWebhook'>;

/**
 * The provider in every mode that is set up: a notification may belong to any of them. A mode whose secrets do not open
 * any more fails each notification it is asked about (not_configured), so that those of the other mode are read, and its
 * own are sent again until an admin has mended it.
 */
export async function openProviderInAllModes(name: PaymentProviderName): Promise<WebhookReader[]> {
  const modes = await enteredModesOf(name);
  const readers = await Promise.all(
    modes.map(async (mode) => {
      const config = await readableConfig(name, mode);
      if (config === 'unreadable') return unreadableReader(name, mode);
      return config && openIfUsable(config);
    }),
  );
  return readers.flatMap((reader) => reader ?? []);
}

const unreadableReader = (name: PaymentProviderName, mode: ProviderMode): WebhookReader => ({
  name,
  mode,
  parseWebhook: async () => {
    throw new AppError('not_configured', `The secrets of ${providerNames[name]} in ${mode} mode cannot be read here.`);
  },
});

/** Null for a mode with keys that cannot be used: it must not keep the other mode's notifications from being read. */
function openIfUsable(config: PaymentConfig): PaymentProvider | null {
  try {
    return adapterFor(config)?.open(config) ?? null;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_configured') return null;
    throw thrown;
  }
}

type Adapter = {
  /** Is everything there that a payment needs? */
  isConfigured: (config: PaymentConfig) => boolean;
  open: (config: PaymentConfig) => PaymentProvider;
};

/** The providers this installation can speak to, a line each. */
const adapters: Record<PaymentProviderName, Adapter> = {
  stripe: { isConfigured: isStripeConfigured, open: stripeProvider },
  paypal: { isConfigured: isPayPalConfigured, open: payPalProvider },
  wechat: { isConfigured: isWeChatConfigured, open: weChatProvider },
};

/** The adapter that can work with this configuration, or undefined while something is missing. */
export function adapterFor(config: PaymentConfig): Adapter | undefined {
  const adapter = adapters[config.provider];
  return adapter.isConfigured(config) ? adapter : undefined;
}
