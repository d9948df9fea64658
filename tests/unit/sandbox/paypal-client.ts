import { verify, X509Certificate } from 'node:crypto';
import { crc32 } from 'node:zlib';
import paypal from '@paypal/checkout-server-sdk';
import { z } from 'zod';
import type { RunningGateway } from '../../../sandbox/start';
import { paypalAccount, type Receiver } from './harness';

/** The real SDK, configured for the gateway. */
export function paypalClient(gateway: RunningGateway, account = paypalAccount) {
  const origin = originOf(gateway);
  const environment = new paypal.core.PayPalEnvironment(account.clientId, account.clientSecret, origin, origin);
  return new paypal.core.PayPalHttpClient(environment);
}

export const originOf = (gateway: RunningGateway) => `http://127.0.0.1:${gateway.ports.paypal}`;

const linksSchema = z.array(z.object({ href: z.string(), rel: z.string() }));
const moneySchema = z.object({ currency_code: z.string(), value: z.string() });
const captureSchema = z.object({
  id: z.string(),
  status: z.string(),
  amount: moneySchema,
  custom_id: z.string(),
  links: linksSchema,
});
const orderSchema = z.object({
  id: z.string(),
  status: z.string(),
  links: linksSchema,
  purchase_units: z
    .array(z.object({ payments: z.object({ captures: z.array(captureSchema).min(1) }).optional() }))
    .optional(),
});

type Order = z.infer<typeof orderSchema>;

/** The order request as the app sends it; the SDK's types lack `payment_source`. */
export function orderBody(topupId = 'topup1', value = '100.00', currency = 'USD') {
  return {
    intent: 'CAPTURE',
    purchase_units: [{ custom_id: topupId, description: 'Wallet top-up', amount: { currency_code: currency, value } }],
    payment_source: {
      paypal: {
        experience_context: {
          return_url: 'http://127.0.0.1:9/user/wallet?success=1&topup=topup1',
          cancel_url: 'http://127.0.0.1:9/user/wallet?cancelled=1',
          user_action: 'PAY_NOW',
          shipping_preference: 'NO_SHIPPING',
        },
      },
    },
  };
}

export async function createOrder(
  client: ReturnType<typeof paypalClient>,
  body: object = orderBody(),
  requestId?: string,
): Promise<{ order: Order; statusCode: number }> {
  const request = new paypal.orders.OrdersCreateRequest();
  Object.assign(request, { body });
  if (requestId) Object.assign(request.headers, { 'PayPal-Request-Id': requestId });
  const { result, statusCode } = await client.execute(request);
  return { order: orderSchema.parse(result), statusCode: statusCode ?? 0 };
}

export async function captureOrder(
  client: ReturnType<typeof paypalClient>,
  orderId: string,
  requestId?: string,
): Promise<{ capture: z.infer<typeof captureSchema>; statusCode: number }> {
  const request = new paypal.orders.OrdersCaptureRequest(orderId);
  Object.assign(request, { body: {} });
  if (requestId) request.payPalRequestId(requestId);
  const { result, statusCode } = await client.execute(request);
  const capture = orderSchema.parse(result).purchase_units?.[0]?.payments?.captures[0];
  if (!capture) throw new Error('No capture');
  return { capture, statusCode: statusCode ?? 0 };
}

export async function getOrder(client: ReturnType<typeof paypalClient>, orderId: string): Promise<Order> {
  return orderSchema.parse((await client.execute(new paypal.orders.OrdersGetRequest(orderId))).result);
}

const errorSchema = z.object({ statusCode: z.number(), message: z.string() });
const bodySchema = z.object({
  name: z.string(),
  details: z.array(z.object({ issue: z.string() })).default([]),
  links: linksSchema.default([]),
});

/** The error of a call: status, PayPal's issue, and its links. */
export async function refusal(call: Promise<unknown>) {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  const { statusCode, message } = errorSchema.parse(thrown);
  const body = bodySchema.parse(JSON.parse(message));
  return { statusCode, name: body.name, issue: body.details[0]?.issue, links: body.links };
}

const eventSchema = z.object({
  id: z.string(),
  event_type: z.string(),
  resource: z.record(z.string(), z.unknown()),
});

/** The events that a receiver got, each verified with the certificate that its headers name. */
export async function verifiedPayPalEvents(receiver: Receiver, webhookId = paypalAccount.webhookId) {
  const events: z.infer<typeof eventSchema>[] = [];
  for (const { body, headers } of receiver.calls) {
    if (!(await isSigned(body, headers, webhookId))) throw new Error('The signature is wrong');
    events.push(eventSchema.parse(JSON.parse(body)));
  }
  return events;
}

async function isSigned(body: string, headers: Receiver['calls'][number]['headers'], webhookId: string) {
  const header = (name: string) => String(headers[`paypal-${name}`]);
  const pem = await (await fetch(header('cert-url'))).text();
  const text = [header('transmission-id'), header('transmission-time'), webhookId, crc32(body)].join('|');
  const signature = Buffer.from(header('transmission-sig'), 'base64');
  return verify('sha256', Buffer.from(text), new X509Certificate(pem).publicKey, signature);
}
