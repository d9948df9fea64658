import { z } from 'zod';
import type { PaymentConfig } from './config';
import { payPalHost } from './paypal';
import type { ConnectionResult } from './test-connection';

const granted = z.object({ access_token: z.string().min(1) });

const dayMs = 24 * 60 * 60 * 1000;

/** What the app at PayPal has to be allowed besides payments, by the name of the feature there: one object of each. */
const features: Readonly<Record<string, () => string>> = {
  'Transaction search': () => {
    const [from, until] = [Date.now() - dayMs, Date.now()].map((at) => new Date(at).toISOString());
    return `/v1/reporting/transactions?start_date=${from}&end_date=${until}&fields=transaction_info&page_size=1`;
  },
  Disputes: () => '/v1/customer/disputes?page_size=1',
};

/**
 * Asks for an access token, and directly: the SDK would answer with one it got earlier (design of the token cache). Then
 * for one object of each feature that the app needs.
 */
export async function testPayPal(
  { mode, fields, secrets }: PaymentConfig,
  timeoutMs: number,
): Promise<ConnectionResult> {
  const { client_id: clientId, webhook_id: webhookId } = fields;
  const { client_secret: clientSecret } = secrets;
  if (!clientId || !clientSecret) return { ok: false, message: 'Client ID and client secret are not both saved.' };
  const host = payPalHost(mode).replace(/\/$/, '');
  const answer = await fetch(`${host}/v1/oauth2/token`, {
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
  const token = granted.safeParse(parsed(text));
  if (!token.success) return { ok: false, message: 'PayPal answered, but not with an access token.' };
  const missing = await missingFeatures(host, token.data.access_token, timeoutMs);
  if (missing.length > 0) {
    const message = `PayPal accepts the credentials, but the app may not use ${missing.join(' and ')}. Turn it on among the app’s features at PayPal; a new access token may take up to nine hours to have it.`;
    return { ok: false, message };
  }
  if (!webhookId) return { ok: false, message: 'PayPal accepts the credentials. The webhook ID is still missing.' };
  return { ok: true, message: `PayPal accepts the client ID and secret (${mode} mode).` };
}

/** @returns names of features whose call PayPal refuses with 403; another failure says nothing about the app */
async function missingFeatures(host: string, token: string, timeoutMs: number): Promise<string[]> {
  const tried = await Promise.all(
    Object.entries(features).map(async ([name, path]) => {
      const answer = await fetch(`${host}${path()}`, {
        headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      await answer.body?.cancel();
      return answer.status === 403 ? [name] : [];
    }),
  );
  return tried.flat();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
