import { once } from 'node:events';
import { request as openRequest } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeAccount } from '@/tests/factories/make-account';
import { appUrl, openClient } from '@/tests/setup/http-client';
import { sendBody } from '@/tests/setup/send-body';
import { findAction } from '@/tests/setup/server-action';
import { type DecoyServer, startDecoyServer } from '@/tests/setup/start-decoy-server';

let decoy: DecoyServer = { url: '', visits: [], close: () => undefined };
let buyer = openClient();

beforeAll(async () => {
  decoy = await startDecoyServer();
  buyer = openClient();
  await buyer.signIn('user', (await makeAccount()).email);
});
afterAll(() => decoy.close());

/** Sends headers that fetch would not. @returns the status */
async function send(method: string, path: string, headers: Record<string, string>, body = ''): Promise<number> {
  const { hostname, port } = new URL(appUrl);
  const sent = openRequest({ host: hostname, port, method, path, headers: { cookie: buyer.cookie(), ...headers } });
  sent.end(body);
  const [response] = await once(sent, 'response');
  response.resume();
  return Number(response.statusCode);
}

it('pages and server actions connect to no address in Host or similar headers', async () => {
  const { host, origin } = new URL(decoy.url);
  const id = await findAction(buyer, '/user/security', 'endOtherSessionsAction');
  const notations: Record<string, string>[] = [
    { host },
    { host, 'x-forwarded-host': host, 'x-forwarded-proto': 'http' },
    { 'x-forwarded-host': host },
    { 'x-original-url': decoy.url, 'x-rewrite-url': decoy.url, 'x-middleware-rewrite': decoy.url },
    { 'x-invoke-path': decoy.url, 'x-matched-path': decoy.url, 'x-nextjs-data': '1', 'x-nextjs-rewrite': decoy.url },
    { referer: decoy.url, forwarded: `host=${host}`, 'x-forwarded-server': host, via: host },
  ];
  for (const notation of notations) {
    for (const path of ['/', '/login', '/user', '/user/orders', '/dashboard', '/api/orders', '/api/auth/session']) {
      expect(await send('GET', path, notation), path).toBeLessThan(500);
    }
    for (const site of [origin, new URL(appUrl).origin]) {
      const action = { accept: 'text/x-component', 'next-action': id, 'content-type': 'text/plain;charset=UTF-8' };
      await send('POST', '/user/security', { ...action, ...notation, origin: site }, '[{}]');
      await send('POST', '/user/login', { ...action, ...notation, origin: site }, '[{}]');
    }
  }
  expect(decoy.visits).toEqual([]);
});

it('the request line and image URLs cause no connection', async () => {
  const named = encodeURIComponent(decoy.url);
  for (const path of [
    decoy.url,
    `/${decoy.url}`,
    `//${new URL(decoy.url).host}/user`,
    `/_next/image?url=${named}&w=640&q=75`,
  ]) {
    expect(await send('GET', path, {}), path).not.toBe(200);
  }
  // The image optimiser is disabled: it does not even fetch the app's own URLs.
  expect(await send('GET', `/_next/image?url=${encodeURIComponent('/user')}&w=640&q=75`, {})).toBe(404);
  expect(decoy.visits).toEqual([]);
});

it('the certificate URL in a notification causes no connection', async () => {
  const event = JSON.stringify({
    id: 'WH-1',
    event_type: 'CHECKOUT.ORDER.APPROVED',
    resource: { links: [{ href: decoy.url }] },
  });
  for (const address of [
    decoy.url,
    `${decoy.url}v1/notifications/certs/CERT-1`,
    `https://api.paypal.com@${new URL(decoy.url).host}/v1/notifications/certs/CERT-1`,
  ]) {
    const answer = await sendBody(openClient(), '/api/payments/paypal/webhook', event, {
      headers: {
        'paypal-transmission-id': 'a',
        'paypal-transmission-time': new Date().toISOString(),
        'paypal-transmission-sig': 'YQ==',
        'paypal-auth-algo': 'SHA256withRSA',
        'paypal-cert-url': address,
      },
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  }
  expect(decoy.visits).toEqual([]);
});
