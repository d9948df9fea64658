import type { PaymentProviderName } from '../../db/schema/topups';
import type { Actor } from '../auth/actor';
import { isFlagOn } from '../flags/read-flags';
import { adapterFor } from './adapters';
import { activeModes } from './config';
import { readableConfig } from './readable-config';
import { mayTopUpIn } from './test-mode';

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
