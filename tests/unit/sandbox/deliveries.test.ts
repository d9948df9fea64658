import Stripe from 'stripe';
import { beforeEach, expect, test } from 'vitest';
import type { RunningGateway } from '../../../sandbox/start';
import {
  control,
  openGateway,
  openStripe,
  press,
  type Receiver,
  sessionParams,
  stripeClient,
  verifiedEvents,
  webhookSecret,
} from './harness';

let receiver: Receiver;
let gateway: RunningGateway;
let stripe: Stripe;
let sessionId: string;

beforeEach(async () => {
  ({ receiver, gateway, stripe } = await openStripe());
  ({ id: sessionId } = await stripe.checkout.sessions.create(sessionParams()));
});

const set = (controls: object) => control(gateway, '/controls/stripe', controls);
const log = async (): Promise<unknown> => (await fetch(`${gateway.url}/deliveries`)).json();

test('retries after a 500 and a 503 with the same event and a new signature', async () => {
  receiver.answers.push(500, 503);
  await press(gateway, sessionId, 'pay');
  await expect.poll(() => receiver.calls.length, { timeout: 15_000 }).toBe(3);
  const ids = new Set(verifiedEvents(receiver).map((event) => event.id));
  expect(ids.size).toBe(1);
  expect(new Set(receiver.calls.map((call) => call.body)).size).toBe(1);
  await expect.poll(log).toMatchObject([
    {
      type: 'checkout.session.completed',
      state: 'delivered',
      attempts: [{ status: 500 }, { status: 503 }, { status: 200 }],
    },
  ]);
});

test('retries while the app is not available', async () => {
  const closed = await openGateway('http://127.0.0.1:9');
  const { id } = await stripeClient(closed).checkout.sessions.create(sessionParams());
  await control(closed, '/controls/stripe', { mode: 'before-return' });
  await press(closed, id, 'pay');
  const entries: unknown = await (await fetch(`${closed.url}/deliveries`)).json();
  expect(entries).toMatchObject([{ state: 'waiting', attempts: [{ status: null }] }]);
});

test("before-return: the redirect waits for the webhook's response", async () => {
  await set({ mode: 'before-return' });
  receiver.delayMs = 150;
  await press(gateway, sessionId, 'pay');
  expect(receiver.answered).toBe(1);
});

test('after-return: the webhook follows the redirect', async () => {
  receiver.isHolding = true;
  await set({ mode: 'after-return', delayMs: 300 });
  // The browser is back although the webhook has no response; it gets one only after this line.
  await press(gateway, sessionId, 'pay');
  expect(receiver.answered).toBe(0);
  receiver.isHolding = false;
  await expect.poll(() => receiver.answered).toBe(1);
});

test('duplicates have the same event id', async () => {
  await set({ mode: 'before-return', duplicate: 3 });
  await press(gateway, sessionId, 'pay');
  const events = verifiedEvents(receiver);
  expect(events).toHaveLength(4);
  expect(new Set(events.map((event) => event.id)).size).toBe(1);
});

test('sends held events on request, in any order', async () => {
  await set({ mode: 'hold' });
  await press(gateway, sessionId, 'later');
  await control(gateway, `/controls/stripe/sessions/${sessionId}/complete-async`);
  expect(receiver.calls).toHaveLength(0);
  expect(await log()).toMatchObject([{ state: 'held' }, { state: 'held' }]);
  await control(gateway, `/controls/stripe/sessions/${sessionId}/deliver`, { order: 'reversed' });
  expect(verifiedEvents(receiver).map((event) => event.type)).toEqual([
    'checkout.session.async_payment_succeeded',
    'checkout.session.completed',
  ]);
  await control(gateway, `/controls/stripe/sessions/${sessionId}/deliver`);
  expect(receiver.calls).toHaveLength(2);
});

test('sends a lost event only on request', async () => {
  await set({ mode: 'before-return', drop: 1 });
  await press(gateway, sessionId, 'pay');
  expect(receiver.calls).toHaveLength(0);
  expect(await log()).toMatchObject([{ state: 'lost', attempts: [] }]);
  await control(gateway, `/controls/stripe/sessions/${sessionId}/redeliver`);
  expect(verifiedEvents(receiver)).toMatchObject([{ type: 'checkout.session.completed' }]);
});

test('sends one event again', async () => {
  await set({ mode: 'before-return' });
  const { body } = await control(gateway, `/controls/stripe/sessions/${sessionId}/pay`);
  await control(gateway, `/controls/stripe/events/${body.event}/redeliver`);
  expect(verifiedEvents(receiver).map((event) => event.id)).toEqual([body.event, body.event]);
  expect((await control(gateway, '/controls/stripe/events/evt_none/redeliver')).status).toBe(404);
});

test.each(['forged', 'old'])('a signature that is %s does not verify', async (signature) => {
  await set({ mode: 'before-return', signature });
  await press(gateway, sessionId, 'pay');
  const [call] = receiver.calls;
  const verify = () => Stripe.webhooks.constructEvent(call?.body ?? '', call?.signature ?? '', webhookSecret);
  expect(verify).toThrow(Stripe.errors.StripeSignatureVerificationError);
});

test('alters amount, currency and livemode of events while the API stays correct', async () => {
  await set({ mode: 'before-return', alterAmount: 1, alterCurrency: 'eur', alterLivemode: true });
  await press(gateway, sessionId, 'pay');
  expect(verifiedEvents(receiver)[0]).toMatchObject({
    livemode: true,
    data: { object: { amount_total: 1, currency: 'eur', livemode: true } },
  });
  expect(await stripe.checkout.sessions.retrieve(sessionId)).toMatchObject({ amount_total: 10_000, currency: 'usd' });
  await set({ alterApi: true });
  expect(await stripe.checkout.sessions.retrieve(sessionId)).toMatchObject({ amount_total: 1, currency: 'eur' });
});

test('reset restores the controls, and deletes all data on request', async () => {
  await set({ mode: 'hold', duplicate: 2 });
  await press(gateway, sessionId, 'pay');
  expect((await control(gateway, '/controls/reset')).body).toMatchObject({ stripe: { mode: 'normal', duplicate: 0 } });
  expect(await log()).toHaveLength(3);
  await control(gateway, '/controls/reset', { wipe: true });
  expect(await log()).toEqual([]);
});

test('never sends events that a reset deleted', async () => {
  receiver.answers.push(500);
  await set({ mode: 'before-return' });
  await press(gateway, sessionId, 'pay');
  await control(gateway, '/controls/reset', { wipe: true });
  // Another event that fails once and is retried: its retry arrives after that of the first would.
  receiver.answers.push(500);
  const { id } = await stripe.checkout.sessions.create(sessionParams());
  await press(gateway, id, 'pay');
  await expect
    .poll(() => receiver.calls.at(-1)?.body.includes(id) && receiver.calls.length, { timeout: 15_000 })
    .toBe(3);
  const about = verifiedEvents(receiver).map(({ data }) => 'id' in data.object && data.object.id);
  expect(about).toEqual([sessionId, id, id]);
});
