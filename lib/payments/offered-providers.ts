import type { PaymentProviderName } from '../../db/schema/topups';
import { isFlagOn } from '../flags/read-flags';
import { adapterFor } from './adapters';
import { activeModes } from './config';
import { readableConfig } from './readable-config';

/** A way to pay that a buyer can choose now. */
export type OfferedProvider = {
  name: PaymentProviderName;
  /** False: no real money moves, and the screen says so. */
  isLive: boolean;
};

/**
 * The providers whose mode in force is set up completely and that no admin has turned off; one whose secrets were lost
 * must not close the wallet.
 */
export async function offeredProviders(): Promise<OfferedProvider[]> {
  const modes = [...(await activeModes())];
  const configs = await Promise.all(
    modes.map(async ([name, mode]) => ((await isFlagOn(`topup-${name}`)) ? readableConfig(name, mode) : null)),
  );
  return configs.flatMap((config) =>
    config && config !== 'unreadable' && adapterFor(config)
      ? { name: config.provider, isLive: config.mode === 'live' }
      : [],
  );
}
