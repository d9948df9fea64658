import { verify } from 'node:crypto';
import { z } from 'zod';
import { certificateUrl } from './certificate-url';
import { parseJson } from './create-order';
import { invalidRequest } from './errors';
import type { PayPalGateway } from './gateway';
import { rawMember } from './raw-member';
import { signedText } from './sign';

const schema = z.object({
  auth_algo: z.string(),
  cert_url: z.string(),
  transmission_id: z.string(),
  transmission_sig: z.string(),
  transmission_time: z.string(),
  webhook_id: z.string(),
  webhook_event: z.record(z.string(), z.unknown()),
});

/**
 * Answers `POST /v1/notifications/verify-webhook-signature`: verifies a webhook event for clients that do not verify it
 * themselves.
 * @throws PayPalError 400 when a field is missing
 */
export function verifyWebhook(gateway: PayPalGateway, body: string): { verification_status: 'SUCCESS' | 'FAILURE' } {
  const parsed = schema.safeParse(parseJson(body));
  const raw = rawMember(body, 'webhook_event');
  if (!parsed.success || raw === null) {
    const field = parsed.error?.issues[0]?.path.join('/') ?? 'webhook_event';
    throw invalidRequest(`/${field}`, 'MISSING_REQUIRED_PARAMETER', 'A required field is missing.');
  }
  const input = parsed.data;
  const text = signedText({
    id: input.transmission_id,
    time: input.transmission_time,
    webhookId: input.webhook_id,
    body: raw,
  });
  const isGood =
    input.auth_algo === 'SHA256withRSA' &&
    input.cert_url === certificateUrl(gateway.origin, gateway.key) &&
    input.webhook_id === gateway.account?.webhookId &&
    verify('sha256', Buffer.from(text), gateway.publicKey, Buffer.from(input.transmission_sig, 'base64'));
  return { verification_status: isGood ? 'SUCCESS' : 'FAILURE' };
}
