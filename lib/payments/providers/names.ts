import type { PaymentProviderName } from '@/db/schema/topups';

/** Display names of the providers; also the method of a wallet transaction. */
export const providerNames: Readonly<Record<PaymentProviderName, string>> = {
  stripe: 'Stripe',
  paypal: 'PayPal',
  wechat: 'WeChat Pay',
};
