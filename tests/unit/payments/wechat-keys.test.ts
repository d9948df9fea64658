import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { parseWeChatEvent } from '@/lib/payments/providers/wechat/events';
import type { WeChatAccount } from '@/lib/payments/providers/wechat/merchant';
import type { SigningKey } from '@/sandbox/keys/records';
import { selfSignedCertificate } from '@/sandbox/keys/self-signed';
import { encrypt } from '@/sandbox/wechat/encrypt';
import { signedHeaders } from '@/sandbox/wechat/sign';
import { localServer } from './local-server';

const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const merchant = pair();
const pem = merchant.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
let platform: SigningKey;

beforeAll(() => {
  const { privateKey } = pair();
  const serial = Buffer.concat([Buffer.from([0x21]), randomBytes(19)]);
  platform = {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: selfSignedCertificate(privateKey, serial, 'WeChat Pay platform'),
    serial: serial.toString('hex').toUpperCase(),
  };
});
afterEach(() => {
  vi.useRealTimers();
});

/** WeChat Pay's host, which returns its certificates unless it is set to fail. */
async function weChat() {
  const state = { isDown: false };
  const apiV3Key = randomBytes(16).toString('hex');
  const host = await localServer((_, response) => {
    if (state.isDown) return response.writeHead(500).end();
    const sealed = encrypt(apiV3Key, platform.certificate, 'certificate');
    const body = JSON.stringify({ data: [{ serial_no: platform.serial, encrypt_certificate: sealed }] });
    return response.writeHead(200, signedHeaders(platform, platform.serial, body)).end(body);
  });
  const account: WeChatAccount = {
    merchant: { mchid: '1900000109', serial: '5157F09EFDC096DE', privateKey: pem },
    appid: 'wx0123456789abcdef',
    apiV3Key,
    publicKeyId: '',
    publicKey: '',
    baseUrl: host.origin,
  };
  const take = (headers: Record<string, string>, body: string) =>
    parseWeChatEvent(account, 'test', Buffer.from(body), new Headers(headers));
  return {
    state,
    requests: host.requests,
    genuine: () => {
      const resource = encrypt(apiV3Key, '{}', 'transaction');
      const body = JSON.stringify({ id: randomUUID(), event_type: 'TRANSACTION.SUCCESS', resource });
      return take(signedHeaders(platform, platform.serial, body), body);
    },
    forged: (changes: Record<string, string> = {}) => {
      const serial = randomBytes(20).toString('hex').toUpperCase();
      return take({ ...signedHeaders(platform, serial, '{}', 'forged'), ...changes }, '{}');
    },
  };
}

it('concurrent notifications fetch the certificates once', async () => {
  const { requests, forged, genuine } = await weChat();
  const events = await Promise.all([...Array.from({ length: 30 }, () => forged()), genuine(), genuine()]);
  expect(events.slice(0, 30).every((event) => event === null)).toBe(true);
  expect(events.slice(30)).toMatchObject([{ type: 'TRANSACTION.SUCCESS' }, { type: 'TRANSACTION.SUCCESS' }]);
  expect(requests).toEqual(['/v3/certificates']);
});

it.each<[string, Record<string, string>]>([
  ['is ten minutes old', { 'wechatpay-timestamp': String(Math.floor(Date.now() / 1000) - 600) }],
  ['has a time in the future', { 'wechatpay-timestamp': String(Math.floor(Date.now() / 1000) + 600) }],
  ['has no signature', { 'wechatpay-signature': '' }],
  ["is WeChat Pay's signature test", { 'wechatpay-signature': 'WECHATPAY/SIGNTEST/abcdef' }],
  ['has an invalid serial', { 'wechatpay-serial': 'PUB_KEY_ID_1' }],
])('a notification that %s is rejected before any request', async (_, changes) => {
  const { requests, forged } = await weChat();
  expect(await forged(changes)).toBeNull();
  expect(requests).toEqual([]);
});

it('retries ten seconds after a failure at the earliest', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { state, requests, forged, genuine } = await weChat();
  state.isDown = true;
  for (let sent = 0; sent < 20; sent += 1) await expect(forged()).rejects.toMatchObject({ code: 'provider_failed' });
  expect(requests).toHaveLength(1);
  state.isDown = false;
  vi.setSystemTime(Date.now() + 11_000);
  expect(await genuine()).toMatchObject({ type: 'TRANSACTION.SUCCESS' });
  expect(requests).toHaveLength(2);
});

it('fetches unknown serials once a minute, and keeps known certificates during an outage', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { state, requests, forged, genuine } = await weChat();
  expect(await genuine()).not.toBeNull();
  for (let sent = 0; sent < 20; sent += 1) expect(await forged()).toBeNull();
  expect(requests).toHaveLength(1);
  vi.setSystemTime(Date.now() + 61_000);
  state.isDown = true;
  await expect(forged()).rejects.toMatchObject({ code: 'provider_failed' });
  expect(await genuine()).not.toBeNull();
  expect(requests).toHaveLength(2);
});
