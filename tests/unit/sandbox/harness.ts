import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Stripe from 'stripe';
import { afterEach, vi } from 'vitest';
import { type RunningGateway, startGateway } from '@/sandbox/start';
import { wechatMerchant } from './wechat-merchant';

export const webhookSecret = 'whsec_test_of_the_gateway';

export const paypalAccount = {
  clientId: 'client-of-the-tests',
  clientSecret: 'secret-of-the-tests',
  webhookId: 'WEBHOOK1FTHETESTS',
};

/** A local stand-in for the app's webhook: records requests and returns the configured responses. */
export type Receiver = {
  url: string;
  calls: { body: string; signature: string; headers: IncomingHttpHeaders; path: string }[];
  /** Statuses of the next responses in order; 200 afterwards. */
  answers: number[];
  /** Delay before each response, in ms. */
  delayMs: number;
  /** Sends no response while true. */
  isHolding: boolean;
  /** Number of responses sent. */
  answered: number;
};

const endings: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
  vi.unstubAllEnvs();
});

export async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = {
    url: '',
    calls: [],
    answers: [],
    delayMs: 0,
    isHolding: false,
    answered: 0,
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    receiver.calls.push({
      body: Buffer.concat(chunks).toString('utf8'),
      signature: String(request.headers['stripe-signature']),
      headers: request.headers,
      path: request.url ?? '',
    });
    await sleep(receiver.delayMs);
    while (receiver.isHolding) await sleep(10);
    receiver.answered += 1;
    response.writeHead(receiver.answers.shift() ?? 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('No port');
  receiver.url = `http://127.0.0.1:${address.port}`;
  endings.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return receiver;
}

/** A gateway on free ports; closed after the test unless the test closed it. */
export async function openGateway(appUrl: string, stateFile?: string): Promise<RunningGateway> {
  vi.stubEnv('APP_ENV', 'test');
  const gateway = await startGateway({
    port: 0,
    appUrl,
    stripeWebhookSecret: webhookSecret,
    paypal: paypalAccount,
    wechat: wechatMerchant,
    stateFile,
  });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= gateway.close();
    return closed;
  };
  endings.push(close);
  return { ...gateway, close };
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'linkmarket-gateway-'));
  endings.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The real SDK, configured as in the app. */
export function stripeClient(gateway: RunningGateway, key = 'sk_test_0123456789', timeout = 20_000): Stripe {
  return new Stripe(key, {
    host: '127.0.0.1',
    port: gateway.ports.stripe,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
    timeout,
  });
}

/** A gateway, the stand-in app that it notifies, and the SDK. */
export async function openStripe(): Promise<{ receiver: Receiver; gateway: RunningGateway; stripe: Stripe }> {
  const receiver = await startReceiver();
  const gateway = await openGateway(receiver.url);
  return { receiver, gateway, stripe: stripeClient(gateway) };
}

export function sessionParams(topupId = 'topup1', amountCents = 10_000): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: { currency: 'usd', unit_amount: amountCents, product_data: { name: 'Wallet top-up' } },
      },
    ],
    client_reference_id: topupId,
    metadata: { topup_id: topupId },
    payment_intent_data: { metadata: { topup_id: topupId } },
    customer_email: 'buyer@example.com',
    success_url: 'http://127.0.0.1:9/user/wallet?success=1&session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://127.0.0.1:9/user/wallet',
    adaptive_pricing: { enabled: false },
  };
}

/** Posts to the inbox port, as a test or the controls page does. */
export async function control(gateway: RunningGateway, path: string, body: unknown = {}) {
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

/** Submits a form of the hosted page. */
export function press(gateway: RunningGateway, sessionId: string, button: 'pay' | 'later' | 'fail'): Promise<Response> {
  const url = `http://127.0.0.1:${gateway.ports.stripe}/c/pay/${sessionId}/${button}`;
  return fetch(url, { method: 'POST', redirect: 'manual' });
}

/** The events that a receiver got, each verified by the SDK with its real signature. */
export function verifiedEvents(receiver: Receiver): Stripe.Event[] {
  return receiver.calls.map(({ body, signature }) => Stripe.webhooks.constructEvent(body, signature, webhookSecret));
}
