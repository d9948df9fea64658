import type { PaymentProviderName } from '../../db/schema/topups';
import type { PaymentConfig } from './config';
import { isPayPalConfigured, payPalProvider } from './paypal';
import type { PaymentProvider } from './provider';
import { isStripeConfigured, stripeProvider } from './stripe';
import { isWeChatConfigured, weChatProvider } from './wechat';

type Adapter = {
  /** Is everything there that a payment needs? */
  isConfigured: (config: PaymentConfig) => boolean;
  open: (config: PaymentConfig) => PaymentProvider;
};

/** The providers this installation can speak to, a line each. */
const adapters: Record<PaymentProviderName, Adapter> = {
  stripe: { isConfigured: isStripeConfigured, open: stripeProvider },
  paypal: { isConfigured: isPayPalConfigured, open: payPalProvider },
  wechat: { isConfigured: isWeChatConfigured, open: weChatProvider },
};

/** The adapter that can work with this configuration, or undefined while something is missing. */
export function adapterFor(config: PaymentConfig): Adapter | undefined {
  const adapter = adapters[config.provider];
  return adapter.isConfigured(config) ? adapter : undefined;
}
