import { randomBytes, sign } from 'node:crypto';
import type { Signature } from '@/sandbox/deliveries/records';
import type { Destination } from '@/sandbox/deliveries/webhook-queue';
import type { SigningKey } from '@/sandbox/keys/records';

const oldSeconds = 10 * 60;

/** Describes the app's WeChat webhook. `signedAs` of the event is the serial number of the key. */
export function wechatDestination(appUrl: string, key: SigningKey): Destination {
  return {
    url: `${appUrl}/api/payments/wechat/webhook`,
    headers: (event, signature) => ({
      'content-type': 'application/json',
      'user-agent': 'Mozilla/4.0 (sandbox gateway)',
      ...signedHeaders(key, event.signedAs, event.body, signature),
    }),
  };
}

/** Returns the signature headers for events and responses. */
export function signedHeaders(
  key: SigningKey,
  serial: string,
  body: string,
  signature: Signature = 'valid',
): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000) - (signature === 'old' ? oldSeconds : 0));
  const nonce = randomBytes(16).toString('hex');
  const text = `${timestamp}\n${nonce}\n${signature === 'forged' ? `${body} ` : body}\n`;
  return {
    'wechatpay-serial': serial,
    'wechatpay-timestamp': timestamp,
    'wechatpay-nonce': nonce,
    'wechatpay-signature': sign('sha256', Buffer.from(text), key.privateKey).toString('base64'),
    'wechatpay-signature-type': 'WECHATPAY2-SHA256-RSA2048',
  };
}
