import { letters, randomText } from '@/sandbox/provider/random-text';

const random = (length: number) => randomText(length, letters);

/** Generates ids with Stripe's prefixes and lengths, so that column sizes are tested. */
export const newStripeId = {
  session: () => `cs_test_a1${random(58)}`,
  intent: () => `pi_3${random(23)}`,
  charge: () => `ch_3${random(23)}`,
  refund: () => `re_3${random(23)}`,
  dispute: () => `du_1${random(23)}`,
  event: () => `evt_1${random(23)}`,
  request: () => `req_${random(14)}`,
};
