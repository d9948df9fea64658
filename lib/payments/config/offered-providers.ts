import type { PaymentProviderName } from '@/db/schema/topups';
import type { Actor } from '../../access/actor';
import { isFlagOn } from '../../settings/feature-flags/read-flags';
import { adapterFor } from '../providers/open-provider';
import type { ProviderSettings } from './admin-config';
import { activeModes, mayTopUpIn, readableConfig } from './config';

/** A way to pay that a buyer can choose now. */
export type OfferedProvider = {
  name: PaymentProviderName;
  /** False: no real money moves, and the screen says so. */
  isLive: boolean;
};

/**
 * The providers that this person can pay with: their mode in force is set up completely and open to the person, and no
 * admin has turned them off. Without a person: what every buyer can pay with. A provider whose secrets cannot be read does not close the wallet.
 */
export async function offeredProviders(
  person: Pick<Actor, 'role' | 'permissions'> = { role: 'User', permissions: [] },
): Promise<OfferedProvider[]> {
  const modes = [...(await activeModes())];
  const configs = await Promise.all(
    modes.map(async ([name, mode]) => ((await isFlagOn(`topup-${name}`)) ? readableConfig(name, mode) : null)),
  );
  return configs.flatMap((config) =>
    config && config !== 'unreadable' && adapterFor(config) && mayTopUpIn(config.mode, person)
      ? { name: config.provider, isLive: config.mode === 'live' }
      : [],
  );
}

/** Can buyers choose this provider now? `unreadable`: its secrets do not open any more. */
type OfferState = 'offered' | 'incomplete' | 'unreadable';

/** Never fails over a lost key: the screen that mends it must open. */
export async function offerStateOf({ provider, modeInForce }: ProviderSettings): Promise<OfferState> {
  const config = modeInForce && (await readableConfig(provider, modeInForce));
  if (config === 'unreadable') return 'unreadable';
  return config && adapterFor(config) ? 'offered' : 'incomplete';
}
