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

/** The ways to pay that the dialog knows, an entry a provider. */
export const topUpMethods: Partial<Record<PaymentProviderName, TopUpMethod>> = {
  stripe: {
    label: 'Stripe (card/wallets)',
    hint: 'You’ll be redirected to a Stripe-hosted checkout.',
    path: '/api/user/payments/stripe/checkout',
    failure: 'Top-up failed. Please try again.',
  },
};
