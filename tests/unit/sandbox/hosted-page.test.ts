import type Stripe from 'stripe';
import { beforeEach, expect, test } from 'vitest';
import type { RunningGateway } from '../../../sandbox/start';
import { control, openStripe, press, type Receiver, sessionParams, verifiedEvents } from './harness';

let receiver: Receiver;
let gateway: RunningGateway;
let stripe: Stripe;
let session: Stripe.Checkout.Session;

beforeEach(async () => {
  ({ receiver, gateway, stripe } = await openStripe());
  session = await stripe.checkout.sessions.create(sessionParams());
});

async function page(): Promise<{ text: string; refresh: string | null }> {
  const response = await fetch(`http://127.0.0.1:${gateway.ports.stripe}/c/pay/${session.id}`);
  return { text: await response.text(), refresh: response.headers.get('refresh') };
}

const returnUrl = () => `http://127.0.0.1:9/user/wallet?success=1&session_id=${session.id}`;

test('shows the amount, and contains no script', async () => {
  const { text } = await page();
  for (const part of ['$100.00', 'Wallet top-up', 'buyer@example.com', 'Sandbox', 'Pay later', 'Cancel']) {
    expect(text).toContain(part);
  }
  expect(text).not.toContain('<script');
});

test("escapes the shop's texts", async () => {
  const params = sessionParams();
  const [item] = params.line_items ?? [];
  if (item?.price_data?.product_data) item.price_data.product_data.name = '<b onclick="x">"&\'';
  session = await stripe.checkout.sessions.create(params);
  expect((await page()).text).toContain('&lt;b onclick=&quot;x&quot;&gt;&quot;&amp;&#39;');
});

test('Pay sends one signed event and redirects to the shop', async () => {
  const answer = await press(gateway, session.id, 'pay');
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toBe(returnUrl());
  await expect.poll(() => receiver.calls.length).toBe(1);
  expect(receiver.calls[0]?.path).toBe('/api/payments/stripe/webhook');
  const [event] = verifiedEvents(receiver);
  expect(event).toMatchObject({
    type: 'checkout.session.completed',
    livemode: false,
    data: { object: { id: session.id, payment_status: 'paid', status: 'complete', amount_total: 10_000 } },
  });
  const paid = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] });
  expect(paid.payment_intent).toMatchObject({
    status: 'succeeded',
    amount_received: 10_000,
    currency: 'usd',
    metadata: { topup_id: 'topup1' },
  });
});

test('concurrent payments count once', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => press(gateway, session.id, 'pay')));
  const locations = answers.map((answer) => answer.headers.get('location'));
  expect(locations.filter((location) => location === returnUrl())).toHaveLength(1);
  expect(locations.filter((location) => location === `/c/pay/${session.id}`)).toHaveLength(7);
  await expect.poll(() => receiver.calls.length).toBe(1);
  const { text, refresh } = await page();
  expect(text).toContain('Already paid');
  expect(refresh).toContain(returnUrl());
  expect(verifiedEvents(receiver)).toHaveLength(1);
});

test('Fail keeps the session open for another attempt', async () => {
  const answer = await press(gateway, session.id, 'fail');
  expect(answer.headers.get('location')).toBe(`/c/pay/${session.id}`);
  expect((await page()).text).toContain('The card was declined');
  const { payment_intent, status } = await stripe.checkout.sessions.retrieve(session.id);
  expect(status).toBe('open');
  await press(gateway, session.id, 'pay');
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ payment_intent, payment_status: 'paid' });
});

test.each([
  ['complete-async', 'checkout.session.async_payment_succeeded', 'paid'],
  ['fail-async', 'checkout.session.async_payment_failed', 'unpaid'],
])('Pay later, then %s', async (decision, type, paymentStatus) => {
  expect((await press(gateway, session.id, 'later')).headers.get('location')).toBe(returnUrl());
  await expect.poll(() => receiver.calls.length).toBe(1);
  expect(verifiedEvents(receiver)[0]).toMatchObject({
    type: 'checkout.session.completed',
    data: { object: { payment_status: 'unpaid' } },
  });
  expect((await control(gateway, `/controls/stripe/sessions/${session.id}/${decision}`)).status).toBe(200);
  expect((await control(gateway, `/controls/stripe/sessions/${session.id}/${decision}`)).status).toBe(409);
  await expect.poll(() => receiver.calls.length).toBe(2);
  expect(verifiedEvents(receiver)[1]).toMatchObject({ type, data: { object: { payment_status: paymentStatus } } });
});

test('an expired session cannot be paid, but a late success can be forced', async () => {
  await stripe.checkout.sessions.expire(session.id);
  expect((await page()).text).toContain('This checkout has expired');
  expect((await press(gateway, session.id, 'pay')).headers.get('location')).toBe(`/c/pay/${session.id}`);
  const path = `/controls/stripe/sessions/${session.id}/pay`;
  expect((await control(gateway, path)).status).toBe(409);
  expect(await control(gateway, path, { force: true })).toMatchObject({
    status: 200,
    body: { session: { payment_status: 'paid' } },
  });
});
