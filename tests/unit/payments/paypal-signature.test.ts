import { randomUUID } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { isSignedByPayPal } from '@/lib/payments/providers/paypal/signature';

const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('Nothing may be asked for.'));
afterEach(() => fetched.mockClear());

const raw = Buffer.from('{"id":"WH-1"}');
const path = '/v1/notifications/certs/CERT-1';

function headersFor(certUrl: string, changes: Record<string, string> = {}): Headers {
  return new Headers({
    'paypal-transmission-id': randomUUID(),
    'paypal-transmission-time': new Date().toISOString(),
    'paypal-transmission-sig': 'AAAA',
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-cert-url': certUrl,
    ...changes,
  });
}
const check = (headers: Headers, mode: 'live' | 'sandbox' = 'live', gateway?: string) =>
  isSignedByPayPal(raw, headers, { webhookId: 'WH', mode, gateway });

it.each([
  `http://api.paypal.com${path}`,
  `https://api.paypal.com.evil.example.com${path}`,
  `https://evil.example.com/?https://api.paypal.com${path}`,
  `https://api.paypal.com@evil.example.com${path}`,
  `https://user:pass@api.paypal.com${path}`,
  `https://api.paypal.com:8443${path}`,
  `https://api.sandbox.paypal.com${path}`,
  `https://www.paypal.com${path}`,
  'https://api.paypal.com/v1/notifications/../../logo',
  `file://${path}`,
  'no address',
  '',
])('accepts no certificate from %s in live mode, and does not fetch it', async (url) => {
  expect(await check(headersFor(url))).toBe(false);
  expect(fetched).not.toHaveBeenCalled();
});

it("accepts only the gateway's certificate in sandbox mode", async () => {
  const gateway = 'http://127.0.0.1:4612';
  expect(await check(headersFor(`https://api.sandbox.paypal.com${path}`), 'sandbox', gateway)).toBe(false);
  expect(await check(headersFor(`http://127.0.0.1:4613${path}`), 'sandbox', gateway)).toBe(false);
  expect(fetched).not.toHaveBeenCalled();
});

it.each<Record<string, string>>([
  { 'paypal-transmission-time': new Date(Date.now() - 4 * 24 * 60 * 60 * 1000).toISOString() },
  { 'paypal-transmission-time': new Date(Date.now() + 60 * 60 * 1000).toISOString() },
  { 'paypal-transmission-time': 'now' },
  { 'paypal-auth-algo': 'none' },
])('rejects %j before any request', async (changes) => {
  expect(await check(headersFor(`https://api.paypal.com${path}`, changes))).toBe(false);
  expect(fetched).not.toHaveBeenCalled();
});

it('reports a missing certificate, so that the notification is sent again', async () => {
  await expect(check(headersFor(`https://api.paypal.com${path}`))).rejects.toMatchObject({ code: 'provider_failed' });
  expect(fetched).toHaveBeenCalledTimes(1);
});
