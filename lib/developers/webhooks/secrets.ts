import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { webhookEndpoints } from '@/db/schema/webhook-endpoints';
import { openSecret, type SecretSlot, sealSecret } from '@/lib/platform/secrets';

type Endpoint = Pick<
  typeof webhookEndpoints.$inferSelect,
  'id' | 'sealedSecret' | 'sealedPreviousSecret' | 'previousSecretUntil'
>;

/** How long the previous secret also signs after a rotation. */
export const rotationHours = 24;

const secretBytes = 24;

/** Returns the slots of an endpoint's secrets. */
export const webhookSecretSlot = (endpointId: string, field: 'secret' | 'previous'): SecretSlot => ({
  provider: 'webhook',
  mode: endpointId,
  field,
});

/** Creates a signing secret: `whsec_` and 192 random bits in base64. @returns it in clear and sealed */
export function createWebhookSecret(endpointId: string): { secret: string; sealedSecret: string } {
  const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`;
  return { secret, sealedSecret: sealSecret(webhookSecretSlot(endpointId, 'secret'), secret) };
}

/** Seals the current secret as the previous one. @throws UnreadableSecret */
export function sealAsPrevious({ id, sealedSecret }: Pick<Endpoint, 'id' | 'sealedSecret'>): string {
  return sealSecret(webhookSecretSlot(id, 'previous'), openSecret(webhookSecretSlot(id, 'secret'), sealedSecret));
}

/**
 * Creates the headers of the Standard Webhooks scheme: two signatures while the previous secret is valid.
 * @throws UnreadableSecret when a key is missing in SECRET_KEYS
 */
export function signMessage(endpoint: Endpoint, eventId: string, body: string, at: Date): Record<string, string> {
  const { id, sealedSecret, sealedPreviousSecret, previousSecretUntil } = endpoint;
  const secrets = [openSecret(webhookSecretSlot(id, 'secret'), sealedSecret)];
  if (sealedPreviousSecret !== null && previousSecretUntil !== null && previousSecretUntil > at) {
    secrets.push(openSecret(webhookSecretSlot(id, 'previous'), sealedPreviousSecret));
  }
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(eventId, at, body)).join(' '),
  };
}
