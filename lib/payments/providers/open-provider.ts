import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import { AppError } from '@/lib/errors';
import type { ProviderSettings } from '@/lib/payments/config/admin-config';
import {
  canTopUpIn,
  findPaymentConfig,
  findReadableConfig,
  getActiveModes,
  listConfigs,
  type PaymentConfig,
} from '@/lib/payments/config/config';
import { isFlagOn } from '@/lib/settings/feature-flags';
import { providerNames } from './names';
import { isPayPalConfigured, payPalProvider } from './paypal/provider';
import type { PaymentProvider } from './provider';
import { isStripeConfigured, stripeProvider } from './stripe/provider';
import { isWeChatConfigured, weChatProvider } from './wechat/provider';

/**
 * Opens a provider for API calls.
 * @param mode the mode of an existing top-up; by default the active mode
 * @throws AppError not_configured
 */
export async function openProvider(name: PaymentProviderName, mode?: ProviderMode): Promise<PaymentProvider> {
  const requested = mode ?? (await getActiveModes()).get(name);
  const config = requested ? await findPaymentConfig(name, requested) : null;
  const adapter = config && findAdapter(config);
  if (!adapter) throw new AppError('not_configured', `${providerNames[name]} is not set up.`);
  return adapter.open(config);
}

/**
 * Opens the provider of a top-up in its mode.
 * @param opened a provider that the caller has opened; returned if it is that of the top-up
 * @throws AppError not_configured
 */
export const openProviderOf = async (
  { provider, mode }: { provider: PaymentProviderName; mode: ProviderMode },
  opened?: PaymentProvider,
): Promise<PaymentProvider> =>
  opened?.name === provider && opened.mode === mode ? opened : openProvider(provider, mode);

/** A configured mode of a provider; `unreadable` when its secrets cannot be decrypted. */
type OpenedMode = { mode: ProviderMode; provider: PaymentProvider | 'unreadable' };

/** Opens a provider in every configured mode, since a webhook event may belong to any of them. */
export async function openProviderInAllModes(name: PaymentProviderName): Promise<OpenedMode[]> {
  return (await listConfigs(name)).flatMap(({ mode, config }) => {
    const provider = config === 'unreadable' ? config : tryOpen(config);
    return provider ? [{ mode, provider }] : [];
  });
}

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

/** A payment method that a buyer can choose now. */
export type OfferedProvider = {
  name: PaymentProviderName;
  /** False when no real money moves; the screen shows it. */
  isLive: boolean;
};

/**
 * Lists the providers that this user can pay with: the active mode is fully configured and open to the user, and the
 * provider's feature flag is on. Without a user: the providers that every buyer can pay with. A provider whose secrets
 * cannot be decrypted is left out.
 */
export async function listOfferedProviders(
  user: Parameters<typeof canTopUpIn>[1] = { userId: '', accountId: '', role: 'User', permissions: [] },
): Promise<OfferedProvider[]> {
  const modes = [...(await getActiveModes())];
  const configs = await Promise.all(
    modes.map(async ([name, mode]) => ((await isFlagOn(`topup-${name}`)) ? findReadableConfig(name, mode) : null)),
  );
  return configs.flatMap((config) =>
    config && config !== 'unreadable' && findAdapter(config) && canTopUpIn(config.mode, user)
      ? { name: config.provider, isLive: config.mode === 'live' }
      : [],
  );
}

/** Whether buyers can choose a provider now; `unreadable` when its secrets cannot be decrypted. */
type OfferState = 'offered' | 'incomplete' | 'unreadable';

/**
 * Returns whether buyers can choose a provider. Does not throw for a lost encryption key, so that the settings screen
 * opens.
 */
export async function getOfferState({ provider, activeMode }: ProviderSettings): Promise<OfferState> {
  const config = activeMode && (await findReadableConfig(provider, activeMode));
  if (config === 'unreadable') return 'unreadable';
  return config && findAdapter(config) ? 'offered' : 'incomplete';
}
