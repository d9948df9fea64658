import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import { AppError } from '@/lib/errors';

import {
  findPaymentConfig,
  findReadableConfig,
  getActiveModes,
  listConfiguredModes,
  type PaymentConfig,
} from './config/config';
import { providerNames } from './providers/names';
import { isPayPalConfigured, payPalProvider } from './providers/paypal/provider';
import type { PaymentProvider } from './providers/provider';
import { isStripeConfigured, stripeProvider } from './providers/stripe/provider';
import { isWeChatConfigured, weChatProvider } from './providers/wechat/provider';

/**
 * Opens a provider for API calls.
 * @param mode the mode of an existing top-up; by default the active mode
 * @throws AppError not_configured
 */
export async function openProvider(name: PaymentProviderName, mode?: ProviderMode): Promise<PaymentProvider> {
  const wanted = mode ?? (await getActiveModes()).get(name);
  const config = wanted ? await findPaymentConfig(name, wanted) : null;
  const adapter = config && findAdapter(config);
  if (!adapter) throw new AppError('not_configured', `${providerNames[name]} is not set up.`);
  return adapter.open(config);
}

/** The part of a provider that webhooks need. */
type WebhookReader = Pick<PaymentProvider, 'name' | 'mode' | 'parseWebhook'>;

/**
 * Opens a provider in every configured mode, since a webhook event may belong to any of them. A mode whose secrets
 * cannot be decrypted throws not_configured for each event it is tried with. Events of the other mode are still read,
 * and the provider repeats the failed ones until an admin restores the key.
 */
export async function openProviderInAllModes(name: PaymentProviderName): Promise<WebhookReader[]> {
  const modes = await listConfiguredModes(name);
  const readers = await Promise.all(
    modes.map(async (mode) => {
      const config = await findReadableConfig(name, mode);
      if (config === 'unreadable') return unreadableReader(name, mode);
      return config && tryOpen(config);
    }),
  );
  return readers.flatMap((reader) => reader ?? []);
}

const unreadableReader = (name: PaymentProviderName, mode: ProviderMode): WebhookReader => ({
  name,
  mode,
  parseWebhook: async () => {
    throw new AppError('not_configured', `The secrets of ${providerNames[name]} in ${mode} mode cannot be decrypted.`);
  },
});

/** Returns null for a mode with unusable keys, so that events of the other mode are still read. */
function tryOpen(config: PaymentConfig): PaymentProvider | null {
  try {
    return findAdapter(config)?.open(config) ?? null;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_configured') return null;
    throw thrown;
  }
}

type Adapter = {
  /** Whether the configuration has every value that payments need. */
  isConfigured: (config: PaymentConfig) => boolean;
  open: (config: PaymentConfig) => PaymentProvider;
};

/** The supported providers. */
const adapters: Record<PaymentProviderName, Adapter> = {
  stripe: { isConfigured: isStripeConfigured, open: stripeProvider },
  paypal: { isConfigured: isPayPalConfigured, open: payPalProvider },
  wechat: { isConfigured: isWeChatConfigured, open: weChatProvider },
};

/** Returns the adapter for this configuration, or undefined while it is incomplete. */
export function findAdapter(config: PaymentConfig): Adapter | undefined {
  const adapter = adapters[config.provider];
  return adapter.isConfigured(config) ? adapter : undefined;
}
