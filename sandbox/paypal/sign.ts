import { randomUUID, sign } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Destination } from '@/sandbox/deliveries/webhook-queue';
import type { SigningKey } from '@/sandbox/keys/records';
import { certificateUrl } from './certificate-url';

const oldMs = 10 * 60 * 1_000;

/**
 * Describes the app's PayPal webhook, signed like PayPal: over the transmission's id and time, the webhook's id and the
 * checksum of the body. `signedAs` of the event is the webhook's id.
 */
export function paypalDestination(appUrl: string, paypalOrigin: string, key: SigningKey): Destination {
  return {
    url: `${appUrl}/api/payments/paypal/webhook`,
    headers(event, signature) {
      const id = randomUUID();
      const at = Date.now() - (signature === 'old' ? oldMs : 0);
      const time = `${new Date(at).toISOString().slice(0, 19)}Z`;
      const text = signedText({ id, time, webhookId: event.signedAs, body: event.body });
      const signed = sign('sha256', Buffer.from(signature === 'forged' ? `${text}forged` : text), key.privateKey);
      return {
        'content-type': 'application/json',
        'user-agent': 'PayPal/AUHD-214.0-0 (sandbox gateway)',
        'paypal-transmission-id': id,
        'paypal-transmission-time': time,
        'paypal-transmission-sig': signed.toString('base64'),
        'paypal-cert-url': certificateUrl(paypalOrigin, key),
        'paypal-auth-algo': 'SHA256withRSA',
      };
    },
  };
}

/** Returns the signed text of a webhook event. */
export function signedText(parts: { id: string; time: string; webhookId: string; body: string }): string {
  return [parts.id, parts.time, parts.webhookId, crc32(parts.body)].join('|');
}
