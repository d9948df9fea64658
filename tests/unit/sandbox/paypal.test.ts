import paypal from '@paypal/checkout-server-sdk';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createPayPalCall } from '@/lib/payments/providers/paypal/client';
import { payPalEventLog } from '@/lib/payments/providers/paypal/events';
import type { RunningGateway } from '@/sandbox/start';
import { control, openGateway, paypalAccount, type Receiver, startReceiver } from './harness';

let receiver: Receiver;
let gateway: RunningGateway;
let origin: string;
let client: InstanceType<typeof paypal.core.PayPalHttpClient>;

beforeEach(async () => {
  receiver = await startReceiver();
  gateway = await openGateway(receiver.url);
  origin = `http://127.0.0.1:${gateway.ports.paypal}`;
  client = sdkFor(paypalAccount.clientId);
});

/** PayPal's SDK, with the gateway as its server. */
function sdkFor(clientId: string) {
  const environment = new paypal.core.PayPalEnvironment(clientId, paypalAccount.clientSecret, origin, origin);
  return new paypal.core.PayPalHttpClient(environment);
}

const set = (controls: object) => control(gateway, '/controls/paypal', controls);
/** Submits the form of the approval page. */
const approve = (orderId: string) =>
  fetch(`${origin}/checkoutnow/${orderId}/pay`, { method: 'POST', redirect: 'manual' });

const captureSchema = z.object({ id: z.string(), status: z.string(), custom_id: z.string() });
const orderSchema = z.object({
  id: z.string(),
  status: z.string(),
  links: z.array(z.object({ rel: z.string() })),
  purchase_units: z
    .array(z.object({ payments: z.object({ captures: z.array(captureSchema).min(1) }).optional() }))
    .optional(),
});

/** Creates an order as the app does; the SDK's types are older than `payment_source`. */
async function createOrder(topupId = 'topup1', by = client) {
  const request = new paypal.orders.OrdersCreateRequest();
  const context = {
    return_url: 'http://127.0.0.1:9/user/wallet?success=1&topup=topup1',
    cancel_url: 'http://127.0.0.1:9/user/wallet?cancelled=1',
    user_action: 'PAY_NOW',
    shipping_preference: 'NO_SHIPPING',
  };
  const body = {
    intent: 'CAPTURE',
    purchase_units: [{ custom_id: topupId, amount: { currency_code: 'USD', value: '100.00' } }],
    payment_source: { paypal: { experience_context: context } },
  };
  Object.assign(request, { body });
  Object.assign(request.headers, { 'PayPal-Request-Id': 'request-1' });
  const { result, statusCode } = await by.execute(request);
  return { order: orderSchema.parse(result), statusCode };
}

async function capture(orderId: string, requestId: string) {
  const request = new paypal.orders.OrdersCaptureRequest(orderId);
  Object.assign(request, { body: {} });
  request.payPalRequestId(requestId);
  const { result, statusCode } = await client.execute(request);
  return { capture: orderSchema.parse(result).purchase_units?.[0]?.payments?.captures[0], statusCode };
}

/** The issue with which PayPal refuses a call. */
async function issueOf(call: Promise<unknown>): Promise<string | undefined> {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  const { message } = z.object({ message: z.string() }).parse(thrown);
  return z.object({ details: z.array(z.object({ issue: z.string() })) }).parse(JSON.parse(message)).details[0]?.issue;
}

test('an order is created once for a PayPal-Request-Id, approved, and captured once', async () => {
  const { order, statusCode } = await createOrder();
  expect(statusCode).toBe(201);
  expect(order).toMatchObject({ status: 'PAYER_ACTION_REQUIRED' });
  expect(order.links.map((link) => link.rel)).toEqual(['self', 'payer-action', 'capture']);
  expect(await createOrder()).toMatchObject({ order: { id: order.id }, statusCode: 200 });
  expect(await issueOf(createOrder('other'))).toBe('DUPLICATE_REQUEST_ID');

  expect(await issueOf(capture(order.id, 'capture-1'))).toBe('ORDER_NOT_APPROVED');
  const back = new URL((await approve(order.id)).headers.get('location') ?? '');
  expect(Object.fromEntries(back.searchParams)).toMatchObject({
    token: order.id,
    topup: 'topup1',
    PayerID: expect.stringMatching(/^\w{13}$/),
  });
  const first = await capture(order.id, 'capture-1');
  expect(first).toMatchObject({ statusCode: 201, capture: { status: 'COMPLETED', custom_id: 'topup1' } });
  expect(await capture(order.id, 'capture-1')).toMatchObject({ statusCode: 200, capture: { id: first.capture?.id } });
  expect(await issueOf(capture(order.id, 'capture-2'))).toBe('ORDER_ALREADY_CAPTURED');
  await expect.poll(() => receiver.calls.length).toBe(2);
});

test('a client id or a token that PayPal does not know is refused', async () => {
  await expect(createOrder('topup1', sdkFor('another-client'))).rejects.toMatchObject({ statusCode: 401 });
  const headers = { authorization: 'Bearer A21AA9999999999.00' };
  expect((await fetch(`${origin}/v2/checkout/orders/X`, { headers })).status).toBe(401);
});

test('PayPal verifies the bytes of an event, not equal JSON with other spaces', async () => {
  await set({ mode: 'before-return' });
  await approve((await createOrder()).order.id);
  const [call] = receiver.calls;
  const { clientId, clientSecret, webhookId } = paypalAccount;
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const granted: { access_token: string } = await (
    await fetch(`${origin}/v1/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
      headers: { authorization: `Basic ${basic}` },
    })
  ).json();
  const header = (name: string) => String(call?.headers[`paypal-${name}`]);
  const names = ['auth_algo', 'cert_url', 'transmission_id', 'transmission_sig', 'transmission_time'];
  const fields = names.map((name) => [name, header(name.replace('_', '-'))]);
  const verify = async (raw: string) => {
    const text = JSON.stringify({ ...Object.fromEntries(fields), webhook_id: webhookId });
    const answer = await fetch(`${origin}/v1/notifications/verify-webhook-signature`, {
      method: 'POST',
      headers: { authorization: `Bearer ${granted.access_token}`, 'content-type': 'application/json' },
      body: `${text.slice(0, -1)}, "webhook_event": ${raw} }`,
    });
    return answer.json();
  };
  expect(await verify(call?.body ?? '')).toEqual({ verification_status: 'SUCCESS' });
  const rewritten = JSON.stringify(JSON.parse(call?.body ?? ''), null, 1);
  expect(await verify(rewritten)).toEqual({ verification_status: 'FAILURE' });
});

test('lists events over all pages', async () => {
  await set({ mode: 'hold' });
  const { order } = await createOrder();
  await approve(order.id);
  await capture(order.id, 'capture-1');
  // With its approval and its capture, one more than a page holds.
  for (let count = 0; count < 99; count += 1) {
    await control(gateway, `/controls/paypal/sessions/${order.id}/refund`, { amount: 1 });
  }
  const { clientId, clientSecret } = paypalAccount;
  const log = payPalEventLog('sandbox', createPayPalCall({ baseUrl: origin, clientId, clientSecret }));
  const ids: string[] = [];
  const hourMs = 60 * 60 * 1000;
  for await (const page of log.list(new Date(Date.now() - hourMs), new Date(Date.now() + hourMs)))
    ids.push(...page.map(({ eventId }) => eventId));
  expect(new Set(ids).size).toBe(101);
  expect(ids).toHaveLength(101);
});
