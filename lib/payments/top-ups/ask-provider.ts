import { activeModes } from '../config/config';
import { openProvider } from '../providers/open-provider';
import type { PaymentEvidence } from '../providers/provider';
import type { Topup } from './find-topup';

type Asked = Pick<Topup, 'provider' | 'mode' | 'status' | 'checkoutUrl'>;

/**
 * How a top-up's checkout stands at its provider. What the buyer approved is collected, but only in the mode in force:
 * money of another mode could not be credited, and a live buyer would have paid for nothing. A payment that the provider
 * refused for good is not collected again: its buyer was told that nothing was charged.
 * @throws AppError not_configured; ProviderError when no answer came
 */
export async function askProvider(topup: Asked, reference: string): Promise<PaymentEvidence> {
  const provider = await openProvider(topup.provider, topup.mode);
  const isRefused = topup.status === 'failed' && topup.checkoutUrl !== null;
  if (isRefused || !(await isInForce(topup))) return provider.findCheckout(reference);
  return provider.retrieveCheckout(reference);
}

/**
 * Closes a checkout that nobody paid; says how it stands afterwards. Closing collects what was approved, so an approval
 * of another mode than the one in force is left to lapse: then nothing is charged.
 * @throws AppError not_configured; ProviderError when no answer came
 */
export async function closeCheckout(topup: Asked, reference: string): Promise<PaymentEvidence> {
  const provider = await openProvider(topup.provider, topup.mode);
  if (!(await isInForce(topup))) {
    const found = await provider.findCheckout(reference);
    if (found.outcome !== 'paid' && found.isCollectable) return found;
  }
  return provider.cancelCheckout(reference);
}

const isInForce = async ({ provider, mode }: Pick<Topup, 'provider' | 'mode'>): Promise<boolean> =>
  (await activeModes()).get(provider) === mode;
