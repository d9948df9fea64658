/** The providers that the gateway simulates. */
export const providerNames = ['stripe', 'paypal', 'wechat'] as const;

export type ProviderName = (typeof providerNames)[number];

/** Display names. */
export const providerLabels: Readonly<Record<ProviderName, string>> = {
  stripe: 'Stripe',
  paypal: 'PayPal',
  wechat: 'WeChat Pay',
};
