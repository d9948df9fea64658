import type Stripe from 'stripe';
import { beforeEach, expect, test } from 'vitest';
import type { RunningGateway } from '@/sandbox/start';
import { openStripe, press, type Receiver, sessionParams, verifiedEvents } from './harness';

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

test('shows what is paid with texts escaped, and contains no script', async () => {
  const params = sessionParams();
  const [item] = params.line_items ?? [];
  if (item?.price_data?.product_data) item.price_data.product_data.name = '<b onclick="x">"&\'';
  session = await stripe.checkout.sessions.create(params);
  const { text } = await page();
  for (const part of ['$100.00', '&lt;b onclick=&quot;x&quot;&gt;&quot;&amp;&#39;', 'buyer@example.com', 'Sandbox']) {
    expect(text).toContain(part);
  }
  expect(text).not.toContain('<script');
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

test('the page of a paid session in the control panel has the buttons of a refund and a dispute', async () => {
  await press(gateway, session.id, 'pay');
  const response = await fetch(`${gateway.url}/sessions/stripe/${session.id}`, { headers: { accept: 'text/html' } });
  const page = await response.text();
  for (const part of [
    'Stripe payment of $100.00',
    'Refund (minor units)',
    '>Dispute<',
    'topup1',
    'buyer@example.com',
  ]) {
    expect(page).toContain(part);
  }
  const answer = await fetch(`${gateway.url}/controls/stripe/sessions/${session.id}/refund`, {
    method: 'POST',
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    body: 'amount=100',
    redirect: 'manual',
  });
  expect(answer.headers.get('location')).toBe(`/sessions/stripe/${session.id}`);
  const paid = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent.latest_charge'] });
  expect(paid.payment_intent).toMatchObject({ latest_charge: { amount_refunded: 100 } });
});
