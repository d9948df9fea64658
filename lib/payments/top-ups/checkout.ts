import { getActiveModes } from '@/lib/payments/config/config';
import { openProvider } from '@/lib/payments/open-provider';
import type { PaymentEvidence } from '@/lib/payments/providers/provider';
import type { Topup } from './find-topup';

type TopupCheckout = Pick<Topup, 'provider' | 'mode' | 'status' | 'checkoutUrl'>;

/**
 * Retrieves a top-up's checkout from its provider. An approved payment is collected only in the active mode, because
 * money of another mode could not be credited. A payment that the provider refused permanently is not collected again,
 * because the buyer was informed that nothing was charged.
 * @throws AppError not_configured; ProviderError when the provider does not respond
 */
export async function retrieveCheckout(topup: TopupCheckout, reference: string): Promise<PaymentEvidence> {
  const provider = await openProvider(topup.provider, topup.mode);
  const isRefused = topup.status === 'failed' && topup.checkoutUrl !== null;
  if (isRefused || !(await isActiveMode(topup))) return provider.findCheckout(reference);
  return provider.retrieveCheckout(reference);
}

/**
 * Closes an unpaid checkout and returns its state afterwards. Closing collects an approved payment, so an approved
 * checkout of an inactive mode is left to expire; nothing is charged then.
 * @throws AppError not_configured; ProviderError when the provider does not respond
 */
export async function cancelCheckout(topup: TopupCheckout, reference: string): Promise<PaymentEvidence> {
  const provider = await openProvider(topup.provider, topup.mode);
  if (!(await isActiveMode(topup))) {
    const found = await provider.findCheckout(reference);
    if (found.outcome !== 'paid' && found.isCollectable) return found;
  }
  return provider.cancelCheckout(reference);
}

const isActiveMode = async ({ provider, mode }: Pick<Topup, 'provider' | 'mode'>): Promise<boolean> =>
  (await getActiveModes()).get(provider) === mode;
