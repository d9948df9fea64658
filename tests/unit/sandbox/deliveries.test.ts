import type Stripe from 'stripe';
import { beforeEach, expect, test } from 'vitest';
import type { RunningGateway } from '@/sandbox/start';
import {
  control,
  openGateway,
  openStripe,
  press,
  type Receiver,
  sessionParams,
  stripeClient,
  verifiedEvents,
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

test('a wipe ends when the webhook is answered, so that none arrives after it', async () => {
  receiver.delayMs = 150;
  await press(gateway, sessionId, 'pay');
  await expect.poll(() => receiver.calls.length).toBe(1);
  await control(gateway, '/controls/reset', { wipe: true });
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

test('sends a lost event only on request', async () => {
  await set({ mode: 'before-return', drop: 1 });
  await press(gateway, sessionId, 'pay');
  expect(receiver.calls).toHaveLength(0);
  expect(await log()).toMatchObject([{ state: 'lost', attempts: [] }]);
  await control(gateway, `/controls/stripe/sessions/${sessionId}/redeliver`);
  expect(verifiedEvents(receiver)).toMatchObject([{ type: 'checkout.session.completed' }]);
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
