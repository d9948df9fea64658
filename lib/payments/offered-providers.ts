import type { PaymentProviderName } from '@/db/schema/topups';
import type { Actor } from '@/lib/access/actor';
import { isFlagOn } from '@/lib/settings/feature-flags';
import type { ProviderSettings } from './config/admin-config';
import { canTopUpIn, findReadableConfig, getActiveModes } from './config/config';
import { findAdapter } from './open-provider';

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
  user: Pick<Actor, 'role' | 'permissions'> = { role: 'User', permissions: [] },
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
