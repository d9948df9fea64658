import Stripe from 'stripe';
import type { PaymentConfig } from './config';
import { openStripe } from './stripe';
import type { ConnectionResult } from './test-connection';

/**
 * What restricted keys have to read, by the name of the permission in Stripe's dashboard: each is asked for one object.
 * Checkout Sessions, PaymentIntents, Charges and Refunds are needed by the first payment already.
 */
const readable: Readonly<Record<string, (stripe: Stripe) => Promise<unknown>>> = {
  Events: (stripe) => stripe.events.list({ limit: 1 }),
  'Balance transactions': (stripe) => stripe.balanceTransactions.list({ limit: 1 }),
  Payouts: (stripe) => stripe.payouts.list({ limit: 1 }),
  Disputes: (stripe) => stripe.disputes.list({ limit: 1 }),
};

/**
 * Reads the account's balance, a harmless call that needs the secret key, and one object of each kind that the key must
 * be able to read.
 */
export async function testStripe({ mode, secrets }: PaymentConfig, timeoutMs: number): Promise<ConnectionResult> {
  const secretKey = secrets.secret_key;
  if (!secretKey) return { ok: false, message: 'No secret key is saved for this mode.' };
  try {
    const stripe = openStripe(secretKey, mode, { timeout: timeoutMs, maxNetworkRetries: 0 });
    const balance = await stripe.balance.retrieve();
    const found = balance.livemode ? 'live' : 'test';
    if (found !== mode) return { ok: false, message: `Stripe answered in ${found} mode, but the mode is ${mode}.` };
    const missing = await unreadableOf(stripe);
    if (missing.length > 0) {
      const message = `Stripe accepts the key, but the key may not read ${missing.join(', ')}. Add read access to it at Stripe.`;
      return { ok: false, message };
    }
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

/** @returns names of permissions */
async function unreadableOf(stripe: Stripe): Promise<string[]> {
  const tried = await Promise.all(
    Object.entries(readable).map(async ([name, ask]) => {
      try {
        await ask(stripe);
        return [];
      } catch (thrown) {
        if (thrown instanceof Stripe.errors.StripePermissionError) return [name];
        throw thrown;
      }
    }),
  );
  return tried.flat();
}
