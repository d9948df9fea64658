import type Stripe from 'stripe';

/** The account of every test key. */
export const sandboxAccount = {
  id: 'acct_1SandboxLinkMarket',
  object: 'account',
  business_type: 'company',
  charges_enabled: true,
  country: 'US',
  default_currency: 'usd',
  details_submitted: true,
  email: 'sandbox@example.com',
  metadata: {},
  payouts_enabled: true,
  type: 'standard',
} satisfies Stripe.Account;

/** Its balance, which is always empty. */
export const emptyBalance = {
  object: 'balance',
  available: [{ amount: 0, currency: 'usd', source_types: { card: 0 } }],
  livemode: false,
  pending: [{ amount: 0, currency: 'usd', source_types: { card: 0 } }],
} satisfies Stripe.Balance;
