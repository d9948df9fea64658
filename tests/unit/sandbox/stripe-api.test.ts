import Stripe from 'stripe';
import { beforeEach, describe, expect, test } from 'vitest';
import type { RunningGateway } from '../../../sandbox/start';
import { control, openStripe, type Receiver, sessionParams, stripeClient, verifiedEvents } from './harness';

let receiver: Receiver;
let gateway: RunningGateway;
let stripe: Stripe;

beforeEach(async () => {
  ({ receiver, gateway, stripe } = await openStripe());
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

  test('adds up its items', async () => {
    const item = (unit_amount: number, quantity: number) => ({
      quantity,
      price_data: { currency: 'EUR', unit_amount, product_data: { name: 'Thing', description: 'Some text & more' } },
    });
    const session = await stripe.checkout.sessions.create({
      ...sessionParams(),
      line_items: [item(150, 3), item(1_001, 1)],
    });
    expect(session).toMatchObject({ amount_total: 1_451, currency: 'eur' });
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

  const now = Math.floor(Date.now() / 1_000);
  test.each<[string, Partial<Stripe.Checkout.SessionCreateParams>, string, string | undefined]>([
    ['no mode', { mode: undefined }, 'mode', 'parameter_missing'],
    ['another mode', { mode: 'subscription' }, 'mode', undefined],
    ['no items', { line_items: undefined }, 'line_items', 'parameter_missing'],
    ['items that are texts', { line_items: Object(['items']) }, 'line_items[0]', undefined],
    ['a success address that is none', { success_url: '/wallet' }, 'success_url', 'url_invalid'],
    ['a script as success address', { success_url: 'javascript:alert(1)' }, 'success_url', 'url_invalid'],
    ['an e-mail address that is none', { customer_email: 'nobody' }, 'customer_email', undefined],
    ['an expiry too soon', { expires_at: now + 600 }, 'expires_at', undefined],
    ['an expiry too late', { expires_at: now + 90_000 }, 'expires_at', undefined],
    ['a parameter it does not simulate', { allow_promotion_codes: true }, 'allow_promotion_codes', 'parameter_unknown'],
  ])('rejects %s', async (_name, change, param, code) => {
    const made = stripe.checkout.sessions.create({ ...sessionParams(), ...change });
    await expect(made).rejects.toMatchObject({ type: 'StripeInvalidRequestError', statusCode: 400, param, code });
  });

  test.each([
    [49, 'amount_too_small'],
    [0, 'amount_too_small'],
    [-100, 'amount_too_small'],
    [100_000_000, 'amount_too_large'],
    [10.5, 'parameter_invalid_integer'],
  ])('rejects an amount of %s', async (amount, code) => {
    const made = stripe.checkout.sessions.create(sessionParams('topup1', amount));
    await expect(made).rejects.toMatchObject({ param: 'line_items[0][price_data][unit_amount]', code });
  });
});

describe('the rest of the API', () => {
  test.each(['sk_live_0123456789', 'pk_test_0123456789', 'nonsense'])('rejects the key %s', async (key) => {
    const call = stripeClient(gateway, key).balance.retrieve();
    await expect(call).rejects.toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
  });

  test('returns a balance, for a restricted key too', async () => {
    expect(await stripeClient(gateway, 'rk_test_0123456789').balance.retrieve()).toMatchObject({
      object: 'balance',
      livemode: false,
    });
  });

  test('returns an error for unknown objects', async () => {
    await expect(stripe.checkout.sessions.retrieve('cs_test_none')).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    });
    await expect(stripe.paymentIntents.retrieve('pi_none')).rejects.toMatchObject({ statusCode: 404 });
    await expect(stripe.customers.list()).rejects.toMatchObject({ statusCode: 404, type: 'StripeInvalidRequestError' });
  });

  test('expires an open session once, and sends the event', async () => {
    const { id } = await stripe.checkout.sessions.create(sessionParams());
    await control(gateway, '/controls/stripe', { mode: 'before-return' });
    expect(await stripe.checkout.sessions.expire(id)).toMatchObject({ status: 'expired', url: null });
    await expect(stripe.checkout.sessions.expire(id)).rejects.toMatchObject({ statusCode: 400 });
    await expect.poll(() => receiver.calls.length).toBe(1);
    expect(verifiedEvents(receiver)[0]).toMatchObject({
      type: 'checkout.session.expired',
      data: { object: { id, status: 'expired' } },
    });
  });
});

describe('faults of the API', () => {
  test.each([
    ['down', 'StripeConnectionError'],
    ['garbage', 'StripeAPIError'],
    ['error', 'StripeAPIError'],
  ])('%s', async (api, type) => {
    await control(gateway, '/controls/stripe', { api });
    await expect(stripe.checkout.sessions.create(sessionParams())).rejects.toMatchObject({ type });
    await control(gateway, '/controls/reset');
    expect((await stripe.checkout.sessions.create(sessionParams())).status).toBe('open');
  });

  test("responds later than the client's timeout", async () => {
    await control(gateway, '/controls/stripe', { slowMs: 2_500 });
    const impatient = stripeClient(gateway, undefined, 500);
    const made = impatient.checkout.sessions.create(sessionParams());
    await expect(made).rejects.toMatchObject({ type: 'StripeConnectionError' });
  });

  test('a lost response keeps the session, which its key finds', async () => {
    await control(gateway, '/controls/stripe', { api: 'lost' });
    const options = { idempotencyKey: 'topup-lost' };
    await expect(stripe.checkout.sessions.create(sessionParams(), options)).rejects.toMatchObject({
      type: 'StripeConnectionError',
    });
    await control(gateway, '/controls/reset');
    const session = await stripe.checkout.sessions.create(sessionParams(), options);
    const sessions: unknown = await (await fetch(`${gateway.url}/sessions`)).json();
    expect(sessions).toMatchObject([{ id: session.id }]);
  });

  test('rejects an unknown control', async () => {
    expect((await control(gateway, '/controls/stripe', { mode: 'sideways' })).status).toBe(400);
    expect((await control(gateway, '/controls/stripe', { speed: 3 })).status).toBe(400);
  });
});
