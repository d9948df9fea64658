import { adapterFor } from './adapters';
import type { ProviderSettings } from './admin-config';
import { readableConfig } from './readable-config';

/** Can buyers choose this provider now? `unreadable`: its secrets do not open any more. */
export type OfferState = 'offered' | 'incomplete' | 'unreadable';

/** Never fails over a lost key: the screen that mends it must open. */
export async function offerStateOf({ provider, modeInForce }: ProviderSettings): Promise<OfferState> {
  const config = modeInForce && (await readableConfig(provider, modeInForce));
  if (config === 'unreadable') return 'unreadable';
  return config && adapterFor(config) ? 'offered' : 'incomplete';
}
