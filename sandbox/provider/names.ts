/** The providers that the gateway stands for. */
export const providerNames = ['stripe', 'paypal', 'wechat'] as const;

export type ProviderName = (typeof providerNames)[number];

/** As people know them. */
export const providerLabels: Readonly<Record<ProviderName, string>> = {
  stripe: 'Stripe',
  paypal: 'PayPal',
  wechat: 'WeChat Pay',
};
