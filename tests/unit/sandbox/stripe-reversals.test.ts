import type Stripe from 'stripe';
import { beforeEach, expect, test } from 'vitest';
import type { RunningGateway } from '../../../sandbox/start';
import { control, openStripe, press, type Receiver, sessionParams, verifiedEvents } from './harness';

let receiver: Receiver;
let gateway: RunningGateway;
let stripe: Stripe;
let sessionId: string;
let charge: Stripe.Charge;

beforeEach(async () => {
  ({ receiver, gateway, stripe } = await openStripe());
  ({ id: sessionId } = await stripe.checkout.sessions.create(sessionParams('topup9', 10_000)));
  await control(gateway, '/controls/stripe', { mode: 'before-return' });
  await press(gateway, sessionId, 'pay');
  const { payment_intent } = await stripe.checkout.sessions.retrieve(sessionId, {
    expand: ['payment_intent.latest_charge'],
  });
  if (typeof payment_intent !== 'object' || typeof payment_intent?.latest_charge !== 'object')
    throw new Error('No charge');
  if (!payment_intent.latest_charge) throw new Error('No charge');
  charge = payment_intent.latest_charge;
  receiver.calls.length = 0;
});

const act = (action: string, body: object = {}) =>
  control(gateway, `/controls/stripe/sessions/${sessionId}/${action}`, body);

test('a paid intent names its charge, which can be retrieved', async () => {
  expect(charge).toMatchObject({
    object: 'charge',
    amount: 10_000,
    amount_refunded: 0,
    refunded: false,
    disputed: false,
    metadata: { topup_id: 'topup9' },
  });
  const { lastResponse: _, ...read } = await stripe.charges.retrieve(charge.id);
  expect(read).toEqual(charge);
  const intent = await stripe.paymentIntents.retrieve(String(charge.payment_intent));
  expect(intent.latest_charge).toBe(charge.id);
});

test('adds up refunds, which cannot exceed the payment', async () => {
  expect((await act('refund', { amount: 2_500 })).status).toBe(200);
  expect((await act('refund', { amount: 7_501 })).status).toBe(409);
  expect((await act('refund', { amount: 0 })).status).toBe(400);
  expect((await act('refund')).body).toMatchObject({ session: { amount_refunded: 10_000 } });
  expect((await act('refund')).status).toBe(409);
  expect(verifiedEvents(receiver)).toMatchObject([
    {
      type: 'charge.refunded',
      data: {
        object: { id: charge.id, amount: 10_000, amount_refunded: 2_500, refunded: false },
        previous_attributes: { amount_refunded: 0 },
      },
    },
    {
      type: 'charge.refunded',
      data: { object: { amount_refunded: 10_000, refunded: true }, previous_attributes: { amount_refunded: 2_500 } },
    },
  ]);
});

test('a failed refund returns the money to the shop', async () => {
  expect((await act('refund-fail')).status).toBe(409);
  await act('refund', { amount: 4_000 });
  await act('refund-fail');
  const event = verifiedEvents(receiver)[1];
  expect(event).toMatchObject({
    type: 'refund.failed',
    data: { object: { object: 'refund', amount: 4_000, status: 'failed', charge: charge.id } },
  });
  const refundId = event?.type === 'refund.failed' ? event.data.object.id : '';
  expect(await stripe.refunds.retrieve(refundId)).toMatchObject({ status: 'failed' });
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 0 });
});

test.each([
  ['dispute-won', 'won', ['charge.dispute.closed', 'charge.dispute.funds_reinstated']],
  ['dispute-lost', 'lost', ['charge.dispute.closed']],
])('a dispute: %s', async (decision, status, types) => {
  expect((await act(decision)).status).toBe(409);
  expect((await act('dispute')).status).toBe(200);
  expect((await act('dispute')).status).toBe(409);
  expect((await act('refund')).status).toBe(409);
  const opened = verifiedEvents(receiver);
  expect(opened.map((event) => event.type).sort()).toEqual([
    'charge.dispute.created',
    'charge.dispute.funds_withdrawn',
  ]);
  // Both are sent at once: either may arrive first, and both concern the same dispute.
  const dispute = { object: 'dispute', amount: 10_000, charge: charge.id, payment_intent: charge.payment_intent };
  for (const event of opened) expect(event).toMatchObject({ data: { object: dispute } });
  const [disputeId, ...others] = new Set(opened.map((event) => Object(event.data.object).id));
  expect(others).toEqual([]);
  expect((await act(decision)).status).toBe(200);
  const closed = verifiedEvents(receiver).slice(2);
  expect(closed.map((event) => event.type).sort()).toEqual(types);
  for (const event of closed) expect(event).toMatchObject({ data: { object: { id: disputeId, status } } });
  expect(await stripe.disputes.retrieve(String(disputeId))).toMatchObject({ status });
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ disputed: true });
});

test("returns the key's account for a connection test", async () => {
  expect(await stripe.accounts.retrieveCurrent()).toMatchObject({ object: 'account', charges_enabled: true });
});

test("the payment's page has the buttons", async () => {
  const response = await fetch(`${gateway.url}/sessions/stripe/${sessionId}`, { headers: { accept: 'text/html' } });
  const page = await response.text();
  for (const part of [
    'Stripe payment of $100.00',
    'Refund (minor units)',
    '>Dispute<',
    'topup9',
    'buyer@example.com',
  ]) {
    expect(page).toContain(part);
  }
  const answer = await fetch(`${gateway.url}/controls/stripe/sessions/${sessionId}/refund`, {
    method: 'POST',
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    body: 'amount=100',
    redirect: 'manual',
  });
  expect(answer.headers.get('location')).toBe(`/sessions/stripe/${sessionId}`);
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 100 });
});
