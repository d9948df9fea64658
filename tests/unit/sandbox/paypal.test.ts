import paypal from '@paypal/checkout-server-sdk';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createPayPalCall } from '@/lib/payments/providers/paypal/client';
import { payPalEventLog } from '@/lib/payments/providers/paypal/events';
import type { RunningGateway } from '../../../sandbox/start';
import { control, openGateway, paypalAccount, type Receiver, startReceiver } from './harness';
import {
  captureOrder,
  createOrder,
  getOrder,
  orderBody,
  originOf,
  paypalClient,
  refusal,
  verifiedPayPalEvents,
} from './paypal-client';

let receiver: Receiver;
let gateway: RunningGateway;
let client: ReturnType<typeof paypalClient>;

beforeEach(async () => {
  receiver = await startReceiver();
  gateway = await openGateway(receiver.url);
  client = paypalClient(gateway);
});

const set = (controls: object) => control(gateway, '/controls/paypal', controls);
const act = (orderId: string, action: string, body: object = {}) =>
  control(gateway, `/controls/paypal/sessions/${orderId}/${action}`, body);
/** The received events by name: deliveries run concurrently, so their order is not defined. */
const types = async () => (await verifiedPayPalEvents(receiver)).map((event) => event.event_type).sort();
const eventOf = async (type: string) =>
  (await verifiedPayPalEvents(receiver)).find((event) => event.event_type === type);

/** Submits a form of the approval page. */
const press = (orderId: string, button: 'pay' | 'pending' | 'decline') =>
  fetch(`${originOf(gateway)}/checkoutnow/${orderId}/${button}`, { method: 'POST', redirect: 'manual' });

async function captured() {
  const { order } = await createOrder(client);
  await act(order.id, 'approve');
  const { capture } = await captureOrder(client, order.id);
  await expect.poll(types).toEqual(['CHECKOUT.ORDER.APPROVED', 'PAYMENT.CAPTURE.COMPLETED']);
  // Waits for the events of the preparation, which are not part of the test.
  receiver.calls.length = 0;
  return { orderId: order.id, captureId: capture.id };
}

describe('orders', () => {
  test('creates one order per PayPal-Request-Id, with the link for the payer', async () => {
    const { order, statusCode } = await createOrder(client, orderBody(), 'topup1');
    expect(statusCode).toBe(201);
    expect(order).toMatchObject({ status: 'PAYER_ACTION_REQUIRED' });
    expect(order.links.map((link) => link.rel)).toEqual(['self', 'payer-action', 'capture']);
    const again = await createOrder(client, orderBody(), 'topup1');
    expect(again).toMatchObject({ order: { id: order.id }, statusCode: 200 });
    expect(await refusal(createOrder(client, orderBody('other'), 'topup1'))).toMatchObject({
      issue: 'DUPLICATE_REQUEST_ID',
    });
    expect((await client.execute(new paypal.orders.OrdersGetRequest(order.id))).result).toMatchObject({
      intent: 'CAPTURE',
      purchase_units: [{ custom_id: 'topup1', amount: { currency_code: 'USD', value: '100.00' } }],
    });
  });

  test.each([
    ['no amount', { purchase_units: [{ custom_id: 't' }] }, 'MISSING_REQUIRED_PARAMETER'],
    ['another intent', { intent: 'AUTHORIZE' }, 'INVALID_PARAMETER_SYNTAX'],
    ['nothing', { purchase_units: orderBody('t', '0.00').purchase_units }, 'CANNOT_BE_ZERO_OR_NEGATIVE'],
    ['half cents', { purchase_units: orderBody('t', '1.005').purchase_units }, 'DECIMAL_PRECISION'],
    ['decimals of the yen', { purchase_units: orderBody('t', '10.50', 'JPY').purchase_units }, 'DECIMAL_PRECISION'],
    ['an unknown currency', { purchase_units: orderBody('t', '10.00', 'XXX').purchase_units }, 'INVALID_CURRENCY_CODE'],
    ['nowhere to return', { payment_source: { paypal: {} } }, 'MISSING_RETURN_URL'],
    ['an unknown field', { note: 'x' }, 'UNKNOWN_PARAMETER'],
  ])('rejects %s', async (_name, change, issue) => {
    expect((await refusal(createOrder(client, { ...orderBody(), ...change }))).issue).toBe(issue);
  });

  test('rejects other clients and invented tokens', async () => {
    const other = paypalClient(gateway, { ...paypalAccount, clientId: 'somebody-else' });
    await expect(createOrder(other)).rejects.toMatchObject({ statusCode: 401 });
    const answer = await fetch(`${originOf(gateway)}/v2/checkout/orders/X`, {
      headers: { authorization: 'Bearer A21AA9999999999.00' },
    });
    expect(answer.status).toBe(401);
  });
});

describe('approval and capture', () => {
  test('Pay redirects with token and payer, and the capture moves the money once', async () => {
    const { order } = await createOrder(client);
    expect(await refusal(captureOrder(client, order.id))).toMatchObject({
      statusCode: 422,
      issue: 'ORDER_NOT_APPROVED',
    });
    const answer = await press(order.id, 'pay');
    const back = new URL(answer.headers.get('location') ?? '');
    expect(back.searchParams.get('token')).toBe(order.id);
    expect(back.searchParams.get('topup')).toBe('topup1');
    expect(back.searchParams.get('PayerID')).toMatch(/^\w{13}$/);
    expect((await getOrder(client, order.id)).status).toBe('APPROVED');

    const { capture, statusCode } = await captureOrder(client, order.id, 'topup1');
    expect({ capture, statusCode }).toMatchObject({
      statusCode: 201,
      capture: { status: 'COMPLETED', custom_id: 'topup1', amount: { currency_code: 'USD', value: '100.00' } },
    });
    expect(await captureOrder(client, order.id, 'topup1')).toMatchObject({
      statusCode: 200,
      capture: { id: capture.id },
    });
    expect((await refusal(captureOrder(client, order.id))).issue).toBe('ORDER_ALREADY_CAPTURED');
    await expect.poll(types).toEqual(['CHECKOUT.ORDER.APPROVED', 'PAYMENT.CAPTURE.COMPLETED']);
    expect((await eventOf('PAYMENT.CAPTURE.COMPLETED'))?.resource).toMatchObject({
      id: capture.id,
      custom_id: 'topup1',
      supplementary_data: { related_ids: { order_id: order.id } },
    });
  });

  test('Decline makes the capture fail, and the payer may retry', async () => {
    const { order } = await createOrder(client);
    await press(order.id, 'decline');
    const refused = await refusal(captureOrder(client, order.id));
    expect(refused.issue).toBe('INSTRUMENT_DECLINED');
    expect(refused.links.map(({ rel }) => rel)).toEqual(['information_link', 'payer-action']);
    const page = await (await fetch(refused.links[1]?.href ?? '')).text();
    expect(page).toContain('Your way of paying was refused');
    await press(order.id, 'pay');
    expect((await captureOrder(client, order.id)).capture.status).toBe('COMPLETED');
  });

  test.each([
    ['complete-async', 'PAYMENT.CAPTURE.COMPLETED', 'COMPLETED'],
    ['fail-async', 'PAYMENT.CAPTURE.DENIED', 'DECLINED'],
  ])('Pending, then %s', async (decision, type, status) => {
    const { order } = await createOrder(client);
    await press(order.id, 'pending');
    const { capture } = await captureOrder(client, order.id);
    expect(capture.status).toBe('PENDING');
    expect((await act(order.id, decision)).status).toBe(200);
    expect((await act(order.id, decision)).status).toBe(409);
    await expect.poll(types).toEqual(['CHECKOUT.ORDER.APPROVED', 'PAYMENT.CAPTURE.PENDING', type].sort());
    const { result } = await client.execute(new paypal.payments.CapturesGetRequest(capture.id));
    expect(result).toMatchObject({ status });
  });

  test('a capture can be declined at once', async () => {
    const { order } = await createOrder(client);
    await act(order.id, 'approve', { capture: 'declined' });
    expect((await captureOrder(client, order.id)).capture.status).toBe('DECLINED');
    await expect.poll(types).toContain('PAYMENT.CAPTURE.DECLINED');
  });

  test('an expired order, and an approval that is reversed', async () => {
    const { order } = await createOrder(client);
    await act(order.id, 'expire');
    expect((await press(order.id, 'pay')).headers.get('location')).toBe(`/checkoutnow?token=${order.id}`);
    expect((await refusal(captureOrder(client, order.id))).issue).toBe('ORDER_EXPIRED');
    expect((await act(order.id, 'approve', { force: true })).status).toBe(200);
    expect((await act(order.id, 'reverse-approval')).status).toBe(200);
    expect((await getOrder(client, order.id)).status).toBe('VOIDED');
    await expect.poll(types).toEqual(['CHECKOUT.ORDER.APPROVED', 'CHECKOUT.PAYMENT-APPROVAL.REVERSED']);
  });
});

describe('returned money', () => {
  const refundSchema = z.looseObject({ amount: z.object({ value: z.string() }) });
  const total = (value: string) => ({ total_refunded_amount: { value } });

  test('adds up refunds through the API and by hand', async () => {
    const { orderId, captureId } = await captured();
    const request = new paypal.payments.CapturesRefundRequest(captureId);
    Object.assign(request, { body: { amount: { currency_code: 'USD', value: '30.00' } } });
    expect((await client.execute(request)).result).toMatchObject({ status: 'COMPLETED', amount: { value: '30.00' } });
    expect((await act(orderId, 'refund', { amount: 7_001 })).status).toBe(409);
    expect((await act(orderId, 'refund')).body).toMatchObject({ session: { amount_refunded: 10_000 } });
    await expect.poll(types).toEqual(['PAYMENT.CAPTURE.REFUNDED', 'PAYMENT.CAPTURE.REFUNDED']);
    const told = (await verifiedPayPalEvents(receiver)).map(({ resource }) => refundSchema.parse(resource));
    const refunds = told.sort((one, other) => Number(one.amount.value) - Number(other.amount.value));
    expect(refunds).toMatchObject([
      { custom_id: 'topup1', amount: { value: '30.00' }, seller_payable_breakdown: total('30.00') },
      { custom_id: 'topup1', amount: { value: '70.00' }, seller_payable_breakdown: total('100.00') },
    ]);
    expect(JSON.stringify(refunds[0])).toContain(`/v2/payments/captures/${captureId}`);
    const more = new paypal.payments.CapturesRefundRequest(captureId);
    Object.assign(more, { body: {} });
    expect((await refusal(client.execute(more))).issue).toBe('CAPTURE_FULLY_REFUNDED');
  });

  test.each([
    ['dispute-won', 'RESOLVED_SELLER_FAVOUR', []],
    ['dispute-lost', 'RESOLVED_BUYER_FAVOUR', ['PAYMENT.CAPTURE.REVERSED']],
  ])('a dispute: %s', async (decision, outcome, further) => {
    const { orderId, captureId } = await captured();
    await set({ mode: 'before-return' });
    await act(orderId, 'dispute');
    await act(orderId, decision);
    expect(await types()).toEqual(['CUSTOMER.DISPUTE.CREATED', 'CUSTOMER.DISPUTE.RESOLVED', ...further].sort());
    expect((await eventOf('CUSTOMER.DISPUTE.RESOLVED'))?.resource).toMatchObject({
      disputed_transactions: [{ seller_transaction_id: captureId }],
      dispute_amount: { value: '100.00' },
      dispute_outcome: { outcome_code: outcome },
    });
  });

  test('a payment that PayPal reverses', async () => {
    const { orderId } = await captured();
    expect((await act(orderId, 'reverse')).status).toBe(200);
    expect((await act(orderId, 'reverse')).status).toBe(409);
    await expect.poll(types).toContain('PAYMENT.CAPTURE.REVERSED');
  });
});

describe('webhooks', () => {
  test.each([
    ['forged', 'forged'],
    ['for another webhook', 'foreign'],
  ])('a webhook that is %s does not verify', async (_name, kind) => {
    await set({ mode: 'before-return', ...(kind === 'forged' ? { signature: 'forged' } : { alterLivemode: true }) });
    const { order } = await createOrder(client);
    await press(order.id, 'pay');
    await expect(verifiedPayPalEvents(receiver)).rejects.toThrow('The signature is wrong');
  });

  test('an old webhook verifies with a time ten minutes ago', async () => {
    await set({ mode: 'before-return', signature: 'old' });
    const { order } = await createOrder(client);
    await press(order.id, 'pay');
    expect(await types()).toEqual(['CHECKOUT.ORDER.APPROVED']);
    const sent = Date.parse(String(receiver.calls[0]?.headers['paypal-transmission-time']));
    expect(Date.now() - sent).toBeGreaterThan(599_000);
  });

  test('PayPal verifies the raw bytes, not equivalent JSON', async () => {
    await set({ mode: 'before-return' });
    const { order } = await createOrder(client, orderBody('topup1', '1.00'));
    await press(order.id, 'pay');
    const call = receiver.calls[0];
    const token = new URLSearchParams({ grant_type: 'client_credentials' });
    const granted: { access_token: string } = await (
      await fetch(`${originOf(gateway)}/v1/oauth2/token`, {
        method: 'POST',
        body: token,
        headers: {
          authorization: `Basic ${Buffer.from(`${paypalAccount.clientId}:${paypalAccount.clientSecret}`).toString('base64')}`,
        },
      })
    ).json();
    const header = (name: string) => String(call?.headers[`paypal-${name}`]);
    const verifies = async (raw: string) => {
      const fields = JSON.stringify({
        auth_algo: header('auth-algo'),
        cert_url: header('cert-url'),
        transmission_id: header('transmission-id'),
        transmission_sig: header('transmission-sig'),
        transmission_time: header('transmission-time'),
        webhook_id: paypalAccount.webhookId,
      });
      const answer = await fetch(`${originOf(gateway)}/v1/notifications/verify-webhook-signature`, {
        method: 'POST',
        headers: { authorization: `Bearer ${granted.access_token}`, 'content-type': 'application/json' },
        body: `${fields.slice(0, -1)}, "webhook_event": ${raw} }`,
      });
      return answer.json();
    };
    expect(await verifies(call?.body ?? '')).toEqual({ verification_status: 'SUCCESS' });
    const rewritten = JSON.stringify(JSON.parse(call?.body ?? ''), null, 1);
    expect(await verifies(rewritten)).toEqual({ verification_status: 'FAILURE' });
  });
});

test('lists events over all pages', async () => {
  await set({ mode: 'hold' });
  const count = 101;
  for (let made = 0; made < count; made += 1) {
    const { order } = await createOrder(client);
    await act(order.id, 'approve');
  }
  const { clientId, clientSecret } = paypalAccount;
  const log = payPalEventLog('sandbox', createPayPalCall({ baseUrl: originOf(gateway), clientId, clientSecret }));
  const ids: string[] = [];
  const hourMs = 60 * 60 * 1000;
  for await (const page of log.list(new Date(Date.now() - hourMs), new Date(Date.now() + hourMs)))
    ids.push(...page.map(({ eventId }) => eventId));
  expect(new Set(ids).size).toBe(count);
  expect(ids).toHaveLength(count);
});

describe('faults', () => {
  test('a lost response keeps the capture, which its request id finds', async () => {
    const { order } = await createOrder(client);
    await act(order.id, 'approve');
    await set({ api: 'lost' });
    await expect(captureOrder(client, order.id, 'topup1')).rejects.toThrow();
    await set({ api: 'normal' });
    expect((await getOrder(client, order.id)).status).toBe('COMPLETED');
    expect((await captureOrder(client, order.id, 'topup1')).statusCode).toBe(200);
  });

  test('is unavailable and returns errors', async () => {
    await set({ api: 'down' });
    await expect(createOrder(client)).rejects.toThrow();
    await set({ api: 'error' });
    expect(await refusal(createOrder(client))).toMatchObject({ statusCode: 500, name: 'INTERNAL_SERVER_ERROR' });
  });

  test('alters amount and currency, in events or everywhere', async () => {
    await set({ alterAmount: 1, alterCurrency: 'eur', mode: 'before-return' });
    const { order } = await createOrder(client);
    await press(order.id, 'pay');
    const { capture } = await captureOrder(client, order.id);
    expect(capture.amount).toEqual({ currency_code: 'USD', value: '100.00' });
    await expect.poll(types).toContain('PAYMENT.CAPTURE.COMPLETED');
    expect((await eventOf('PAYMENT.CAPTURE.COMPLETED'))?.resource).toMatchObject({
      amount: { currency_code: 'EUR', value: '0.01' },
    });
    await set({ alterApi: true });
    const read = (await getOrder(client, order.id)).purchase_units?.[0]?.payments?.captures[0];
    expect(read?.amount).toEqual({ currency_code: 'EUR', value: '0.01' });
  });
});
