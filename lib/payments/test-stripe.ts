import Stripe from 'stripe';
import type { PaymentConfig } from './config';
import { openStripe } from './stripe';
import type { ConnectionResult } from './test-connection';

/** Reads the account's balance: a harmless call that needs the secret key. */
export async function testStripe({ mode, secrets }: PaymentConfig, timeoutMs: number): Promise<ConnectionResult> {
  const secretKey = secrets.secret_key;
  if (!secretKey) return { ok: false, message: 'No secret key is saved for this mode.' };
  try {
    const balance = await openStripe(secretKey, mode, { timeout: timeoutMs, maxNetworkRetries: 0 }).balance.retrieve();
    const found = balance.livemode ? 'live' : 'test';
    if (found !== mode) return { ok: false, message: `Stripe answered in ${found} mode, but the mode is ${mode}.` };
    if (!secrets.webhook_secret) {
      return { ok: false, message: 'Stripe accepts the key. The webhook secret is still missing.' };
    }
    return { ok: true, message: `Stripe accepts the secret key (${found} mode).` };
  } catch (thrown) {
    if (thrown instanceof Stripe.errors.StripeAuthenticationError) {
      return { ok: false, message: 'Stripe does not know this secret key.' };
    }
    if (thrown instanceof Stripe.errors.StripePermissionError) {
      return { ok: false, message: 'Stripe knows this key, but it may not do what payments need.' };
    }
    if (thrown instanceof Stripe.errors.StripeConnectionError) {
      const isLate = /timed out|timeout/i.test(thrown.message);
      return { ok: false, message: isLate ? 'Stripe did not answer in time.' : 'Stripe could not be reached.' };
    }
    if (thrown instanceof Stripe.errors.StripeError) {
      return { ok: false, message: `Stripe refused: ${thrown.message}`.slice(0, 300) };
    }
    throw thrown;
  }
}
