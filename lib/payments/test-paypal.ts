import { z } from 'zod';
import type { PaymentConfig } from './config';
import { payPalHost } from './paypal';
import type { ConnectionResult } from './test-connection';

const granted = z.object({ access_token: z.string().min(1) });

/** Asks for an access token, and directly: the SDK would answer with one it got earlier (design of the token cache). */
export async function testPayPal(
  { mode, fields, secrets }: PaymentConfig,
  timeoutMs: number,
): Promise<ConnectionResult> {
  const { client_id: clientId, webhook_id: webhookId } = fields;
  const { client_secret: clientSecret } = secrets;
  if (!clientId || !clientSecret) return { ok: false, message: 'Client ID and client secret are not both saved.' };
  const answer = await fetch(`${payPalHost(mode).replace(/\/$/, '')}/v1/oauth2/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: 'grant_type=client_credentials',
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await answer.text();
  if (answer.status === 401) return { ok: false, message: 'PayPal does not know this client ID with this secret.' };
  if (!answer.ok) return { ok: false, message: `PayPal refused with status ${answer.status}.` };
  if (!granted.safeParse(parsed(text)).success) {
    return { ok: false, message: 'PayPal answered, but not with an access token.' };
  }
  if (!webhookId) return { ok: false, message: 'PayPal accepts the credentials. The webhook ID is still missing.' };
  return { ok: true, message: `PayPal accepts the client ID and secret (${mode} mode).` };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
