import type { PaymentProviderName, ProviderMode } from '../../db/schema/topups';
import { env } from '../env';

/** The sandbox gateway's address, where it answers in a provider's place in this mode; undefined for the real one. */
export function sandboxOf(provider: PaymentProviderName, mode: ProviderMode): string | undefined {
  if (mode === 'live') return undefined;
  const { STRIPE_BASE_URL: stripe, PAYPAL_BASE_URL: paypal, WECHAT_BASE_URL: wechat } = env();
  return { stripe, paypal, wechat }[provider];
}
