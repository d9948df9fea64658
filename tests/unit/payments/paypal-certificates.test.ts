import { generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { beforeAll, expect, it } from 'vitest';
import { isSignedByPayPal } from '@/lib/payments/providers/paypal/signature';
import { selfSignedCertificate } from '@/sandbox/keys/self-signed';
import { signedText } from '@/sandbox/paypal/sign';
import { localServer } from './local-server';

const body = '{"id":"WH-1"}';
const folder = '/v1/notifications/certs/';
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
let certificate: string;
beforeAll(() => {
  certificate = selfSignedCertificate(privateKey, Buffer.from('21212121', 'hex'), 'messages.example.com');
});

/** PayPal's host: its certificate at one URL, the test's response at every other. */
async function payPal(elsewhere: (response: ServerResponse) => void = (response) => response.writeHead(404).end()) {
  const own = `${folder}CERT-${randomUUID()}`;
  const host = await localServer((request, response) =>
    request.url === own ? response.end(certificate) : elsewhere(response),
  );
  const check = (path: string) => {
    const [id, time] = [randomUUID(), new Date().toISOString()];
    const text = signedText({ id, time, webhookId: 'WH', body });
    const headers = new Headers({
      'paypal-transmission-id': id,
      'paypal-transmission-time': time,
      'paypal-transmission-sig': sign('sha256', Buffer.from(text), privateKey).toString('base64'),
      'paypal-auth-algo': 'SHA256withRSA',
      'paypal-cert-url': `${host.origin}${path}`,
    });
    return isSignedByPayPal(Buffer.from(body), headers, { webhookId: 'WH', mode: 'sandbox', gateway: host.origin });
  };
  return { requests: host.requests, own, check };
}
const invented = () => `${folder}CERT-${randomBytes(8).toString('hex')}`;

it('keeps a verified certificate when invented URLs fill the cache', async () => {
  const { requests, own, check } = await payPal();
  expect(await check(own)).toBe(true);
  for (let sent = 0; sent < 60; sent += 1) expect(await check(invented())).toBe(false);
  expect(await check(own)).toBe(true);
  expect(requests.filter((path) => path === own)).toHaveLength(1);
});

it('fetches a URL without a certificate once, also for concurrent requests', async () => {
  const { requests, check } = await payPal();
  const path = invented();
  expect(await Promise.all([check(path), check(path), check(path)])).toEqual([false, false, false]);
  expect(await check(path)).toBe(false);
  expect(requests).toEqual([path]);
});

it('fetches at most four URLs at once; further notifications must be sent again', async () => {
  const waiting: ServerResponse[] = [];
  const { requests, check } = await payPal((response) => waiting.push(response));
  const first = Array.from({ length: 4 }, () => check(invented()));
  await expect.poll(() => waiting.length).toBe(4);
  await expect(check(invented())).rejects.toMatchObject({ code: 'provider_failed' });
  for (const response of waiting) response.writeHead(404).end();
  expect(await Promise.all(first)).toEqual([false, false, false, false]);
  expect(requests).toHaveLength(4);
});

it('stops reading a response that is larger than a certificate', async () => {
  const endless = { isClosed: false };
  const { check } = await payPal((response) => {
    response.on('close', () => {
      endless.isClosed = true;
    });
    const pour = () => {
      while (!endless.isClosed && response.write('x'.repeat(16_384)));
    };
    response.on('drain', pour);
    pour();
  });
  expect(await check(invented())).toBe(false);
  await expect.poll(() => endless.isClosed).toBe(true);
});

it.each([
  `${folder}CERT-1?size=1`,
  `${folder}CERT-1#part`,
  `${folder}CERT-1/../../../logo`,
  `${folder}CERT-${'1'.repeat(200)}`,
  `${folder}KEY-1`,
  `${folder}`,
  '/logo.png',
])('fetches nothing from %s', async (path) => {
  const { requests, check } = await payPal();
  expect(await check(path)).toBe(false);
  expect(requests).toEqual([]);
});

it('treats a failing server as unknown, so that the notification is sent again', async () => {
  const { check } = await payPal((response) => response.writeHead(503).end());
  await expect(check(invented())).rejects.toMatchObject({ code: 'provider_failed' });
});
