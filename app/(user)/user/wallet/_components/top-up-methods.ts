import type { PaymentProviderName } from '@/db/schema/topups';

export type TopUpMethod = {
  /** In the select. */
  label: string;
  /** Under it. */
  hint: string;
  /** The contract's address. */
  path: string;
  /** When it fails for a reason the person cannot mend (spec 001, section 8). */
  failure: string;
};

/** The ways to pay, an entry a provider. */
export const topUpMethods: Readonly<Record<PaymentProviderName, TopUpMethod>> = {
  stripe: {
    label: 'Stripe card/wallets',
    hint: 'You’ll be redirected to a Stripe-hosted checkout.',
    path: '/api/user/payments/stripe/checkout',
    failure: 'Top-up failed. Please try again.',
  },
  paypal: {
    label: 'PayPal',
    hint: 'You’ll be redirected to PayPal to approve the payment.',
    path: '/api/wallet/topup/paypal',
    failure: 'PayPal top-up failed. Please try again or contact support.',
  },
  wechat: {
    label: 'WeChat Pay',
    hint: 'You’ll pay in CNY: in the WeChat app on a phone, or by scanning a code with it.',
    path: '/api/wallet/topup/wechat',
    failure: 'WeChat Pay top-up failed. Please try again or contact support.',
  },
};
