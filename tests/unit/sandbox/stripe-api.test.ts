import Stripe from 'stripe';
import { beforeEach, describe, expect, test } from 'vitest';
import type { RunningGateway } from '@/sandbox/start';
import { control, openStripe, sessionParams, stripeClient } from './harness';

let gateway: RunningGateway;
let stripe: Stripe;

beforeEach(async () => {
  ({ gateway, stripe } = await openStripe());
});

describe('checkout.sessions.create', () => {
  test('returns an open session that can be retrieved', async () => {
    const session = await stripe.checkout.sessions.create(sessionParams('topup7', 12_345));
    expect(session).toMatchObject({
      object: 'checkout.session',
      amount_total: 12_345,
      currency: 'usd',
      client_reference_id: 'topup7',
      metadata: { topup_id: 'topup7' },
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      livemode: false,
      url: `http://127.0.0.1:${gateway.ports.stripe}/c/pay/${session.id}`,
    });
    expect(session.id).toMatch(/^cs_test_\w{60}$/);
    expect(session.expires_at - session.created).toBe(86_400);
    expect(session.lastResponse.requestId).toMatch(/^req_/);
    const { lastResponse: _first, ...made } = session;
    const { lastResponse: _second, ...read } = await stripe.checkout.sessions.retrieve(session.id);
    expect(read).toEqual(made);
  });

  test('returns the same response for the same idempotency key', async () => {
    const options = { idempotencyKey: 'topup-1' };
    const [first, second] = await Promise.all([
      stripe.checkout.sessions.create(sessionParams(), options),
      stripe.checkout.sessions.create(sessionParams(), options),
    ]);
    expect(second.id).toBe(first.id);
    const other = await stripe.checkout.sessions.create(sessionParams(), { idempotencyKey: 'topup-2' });
    expect(other.id).not.toBe(first.id);
  });

  test('rejects other parameters with the same idempotency key', async () => {
    await stripe.checkout.sessions.create(sessionParams('topup1', 5_000), { idempotencyKey: 'k' });
    const again = stripe.checkout.sessions.create(sessionParams('topup1', 6_000), { idempotencyKey: 'k' });
    await expect(again).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  });
});

describe('the rest of the API', () => {
  test.each(['sk_live_0123456789', 'nonsense'])('rejects the key %s', async (key) => {
    const call = stripeClient(gateway, key).balance.retrieve();
    await expect(call).rejects.toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
  });

  test('returns an error for unknown objects', async () => {
    await expect(stripe.checkout.sessions.retrieve('cs_test_none')).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    });
    await expect(stripe.paymentIntents.retrieve('pi_none')).rejects.toMatchObject({ statusCode: 404 });
    await expect(stripe.customers.list()).rejects.toMatchObject({ statusCode: 404, type: 'StripeInvalidRequestError' });
  });
});

test('rejects an unknown control', async () => {
  expect((await control(gateway, '/controls/stripe', { mode: 'sideways' })).status).toBe(400);
  expect((await control(gateway, '/controls/stripe', { speed: 3 })).status).toBe(400);
});
