import { createCipheriv, generateKeyPairSync, sign, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decryptWeChat, isSignedByWeChat, signWeChatRequest } from '@/lib/payments/providers/wechat/merchant';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const merchant = {
  mchid: '1900000109',
  serial: '5157F09EFDC096DE15EBE81A47057A7232F1B8E1',
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
};
const now = () => Math.floor(Date.now() / 1000);

function headersFor(raw: string, timestamp = String(now()), changes: Record<string, string> = {}) {
  const signature = sign('RSA-SHA256', Buffer.from(`${timestamp}\nnonce\n${raw}\n`), privateKey).toString('base64');
  const headers = { timestamp, nonce: 'nonce', signature, 'signature-type': 'WECHATPAY2-SHA256-RSA2048', ...changes };
  return new Headers(Object.entries(headers).map(([name, value]): [string, string] => [`wechatpay-${name}`, value]));
}

describe('a request signature', () => {
  it('covers method, path with query, time, nonce and body', () => {
    const header = signWeChatRequest(merchant, 'POST', '/v3/pay?x=1', '{"a":"€"}');
    const [, given = ''] = /^WECHATPAY2-SHA256-RSA2048 (.+)$/.exec(header) ?? [];
    const parts = Object.fromEntries([...given.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
    expect(parts).toMatchObject({ mchid: merchant.mchid, serial_no: merchant.serial });
    const text = `POST\n/v3/pay?x=1\n${parts.timestamp}\n${parts.nonce_str}\n{"a":"€"}\n`;
    expect(verify('RSA-SHA256', Buffer.from(text), publicKey, Buffer.from(parts.signature ?? '', 'base64'))).toBe(true);
  });
});

describe('a received signature', () => {
  const raw = '{"id":"1"}';
  it('is valid unchanged and within five minutes', () => {
    expect(isSignedByWeChat(Buffer.from(raw), headersFor(raw), publicKey)).toBe(true);
    expect(isSignedByWeChat(Buffer.from(raw), headersFor(raw, String(now() - 290)), publicKey)).toBe(true);
  });
  it.each([
    ['other bytes', '{"id":"2"}', headersFor(raw)],
    ['a byte order mark', `\uFEFF${raw}`, headersFor(raw)],
    ['a time ten minutes ago', raw, headersFor(raw, String(now() - 600))],
    ['a time in the future', raw, headersFor(raw, String(now() + 600))],
    ['no time', raw, headersFor(raw, '')],
    ['a non-numeric time', raw, headersFor(raw, 'NaN')],
    ['another scheme', raw, headersFor(raw, undefined, { 'signature-type': 'WECHATPAY2-SM2-WITH-SM3' })],
    ["WeChat Pay's signature test", raw, headersFor(raw, undefined, { signature: 'WECHATPAY/SIGNTEST/abcdef' })],
    ['no headers', raw, new Headers()],
  ])('is invalid with %s', (_, body, headers) => {
    expect(isSignedByWeChat(Buffer.from(body), headers, publicKey)).toBe(false);
  });
});

describe('an encrypted resource', () => {
  const key = '0123456789abcdefghijklmnopqrstuv';
  const seal = (text: string, aad: string) => {
    const cipher = createCipheriv('aes-256-gcm', key, 'nonce1234567').setAAD(Buffer.from(aad));
    return Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64');
  };
  it('decrypts only with its key and its associated data', () => {
    const ciphertext = seal('{"x":"微信"}', 'transaction');
    const sealed = { ciphertext, nonce: 'nonce1234567', associated_data: 'transaction' };
    expect(decryptWeChat(key, sealed)).toBe('{"x":"微信"}');
    expect(decryptWeChat(key, { ...sealed, associated_data: 'refund' })).toBeNull();
    expect(decryptWeChat(key.toUpperCase(), sealed)).toBeNull();
    expect(decryptWeChat(key, { ...sealed, ciphertext: 'AAAA' })).toBeNull();
    expect(decryptWeChat(key, { ciphertext: seal('x', ''), nonce: 'nonce1234567' })).toBe('x');
  });
});
