import Stripe from 'stripe';
import { z } from 'zod';
import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { getPaymentService, getProviderSettings } from '@/lib/payments/config/admin-config';
import { findReadableConfig, type PaymentConfig, unreadableSecretsText } from '@/lib/payments/config/config';
import { privateKeyField } from '@/lib/payments/config/fields';
import { dayMs } from '@/lib/platform/durations';
import { recordAnswer } from '@/lib/settings/service-answers';
import { providerNames } from './names';
import { getPayPalHost } from './paypal/provider';
import { ProviderError } from './provider';
import { parseJson } from './provider-calls';
import { openStripe } from './stripe/provider';
import { findWeChatKey, sendToWeChat, type WeChatResponse } from './wechat/client';
import { isSignedByWeChat, parseWeChatAccount, type WeChatAccount } from './wechat/merchant';

const refusal = z.object({ code: z.string(), message: z.string().default('') });
/** WeChat's two codes for an unknown order: it accepted the credentials and looked for the order. */
const orderNotFoundCodes = new Set(['ORDER_NOT_EXIST', 'ORDERNOTEXIST']);

const failed = (message: string): ConnectionResult => ({ ok: false, message: message.slice(0, 300) });

/**
 * Requests an order that does not exist: WeChat reports an unknown order only to a merchant whose signature is valid.
 * The signature of the response is verified as well.
 */
async function testWeChat(config: PaymentConfig): Promise<ConnectionResult> {
  const missing = listMissingFields(config);
  if (missing.length > 0) return failed(`Not saved for this mode: ${missing.join(', ')}.`);
  const account = parseWeChatAccount(config);
  if (!account) {
    const isShort = Buffer.byteLength(config.secrets.api_v3_key ?? '') !== 32;
    return failed(
      isShort
        ? 'API key must be exactly 32 characters.'
        : 'WeChat Pay has no test environment: only Live mode can be used outside of the demo.',
    );
  }
  const { mchid } = account.merchant;
  const path = `/v3/pay/transactions/out-trade-no/${newId()}?mchid=${encodeURIComponent(mchid)}`;
  try {
    const response = await sendToWeChat(account, 'GET', path);
    const refused = getRefusalMessage(response);
    if (refused !== null) return failed(refused);
    if (!(await isAuthentic(account, response))) {
      return failed(
        'WeChat Pay accepts the key, but its own signature cannot be verified: check its public key and ID.',
      );
    }
    return { ok: true, message: `WeChat Pay accepts the merchant ID, serial and private key (${config.mode} mode).` };
  } catch (thrown) {
    if (!(thrown instanceof ProviderError)) throw thrown;
    return failed(`${thrown.reason}.`);
  }
}

function listMissingFields({ fields, secrets }: PaymentConfig): string[] {
  const required: [string, string | undefined][] = [
    ['merchant ID', fields.mchid],
    ['AppID', fields.appid],
    ['API v3 key', secrets.api_v3_key],
    ['certificate serial', fields.serial_no],
    ['private key', secrets[privateKeyField]],
  ];
  return required.filter(([, value]) => !value).map(([name]) => name);
}

/** Returns null when WeChat accepted the credentials. */
function getRefusalMessage({ status, raw }: WeChatResponse): string | null {
  const error = refusal.safeParse(parseJson(raw.toString('utf8')));
  if (error.success && orderNotFoundCodes.has(error.data.code)) return null;
  if (status === 401) return 'WeChat Pay does not accept the signature: merchant ID, serial and key do not match.';
  return `WeChat Pay refused: ${error.success ? `${error.data.code} ${error.data.message}`.trim() : `status ${status}`}`;
}

async function isAuthentic(account: WeChatAccount, { headers, raw }: WeChatResponse): Promise<boolean> {
  const key = await findWeChatKey(account, headers.get('wechatpay-serial') ?? '');
  return key !== null && isSignedByWeChat(raw, headers, key);
}

/**
 * The read permissions that a restricted key needs, by their names in Stripe's dashboard. Each is tested by reading one
 * object. Checkout Sessions, PaymentIntents, Charges and Refunds are left out: the first payment already needs them.
 */
const requiredReads: Readonly<Record<string, (stripe: Stripe) => Promise<unknown>>> = {
  Events: (stripe) => stripe.events.list({ limit: 1 }),
  'Balance transactions': (stripe) => stripe.balanceTransactions.list({ limit: 1 }),
  Payouts: (stripe) => stripe.payouts.list({ limit: 1 }),
  Disputes: (stripe) => stripe.disputes.list({ limit: 1 }),
};

/**
 * Reads the account's balance, which requires the secret key and changes nothing, and one object of each kind in
 * `requiredReads`.
 */
async function testStripe({ mode, secrets }: PaymentConfig, timeoutMs: number): Promise<ConnectionResult> {
  const secretKey = secrets.secret_key;
  if (!secretKey) return failed('No secret key is saved for this mode.');
  try {
    const stripe = openStripe(secretKey, mode, { timeout: timeoutMs, maxNetworkRetries: 0 });
    const balance = await stripe.balance.retrieve();
    const found = balance.livemode ? 'live' : 'test';
    if (found !== mode) return failed(`Stripe responded in ${found} mode, but the mode is ${mode}.`);
    const missing = await listUnreadable(stripe);
    if (missing.length > 0) {
      return failed(
        `Stripe accepts the key, but the key cannot read ${missing.join(', ')}. Add read access to it in Stripe.`,
      );
    }
    if (!secrets.webhook_secret) {
      return failed('Stripe accepts the key. The webhook secret is still missing.');
    }
    return { ok: true, message: `Stripe accepts the secret key (${found} mode).` };
  } catch (thrown) {
    if (thrown instanceof Stripe.errors.StripeAuthenticationError) {
      return failed('Stripe does not recognize this secret key.');
    }
    if (thrown instanceof Stripe.errors.StripePermissionError) {
      return failed('Stripe recognizes this key, but it lacks the permissions that payments need.');
    }
    if (thrown instanceof Stripe.errors.StripeConnectionError) {
      const isLate = /timed out|timeout/i.test(thrown.message);
      return failed(isLate ? 'Stripe did not respond in time.' : 'Stripe could not be reached.');
    }
    if (thrown instanceof Stripe.errors.StripeError) {
      return failed(`Stripe refused: ${thrown.message}`);
    }
    throw thrown;
  }
}

/** @returns names of the missing permissions */
async function listUnreadable(stripe: Stripe): Promise<string[]> {
  const tried = await Promise.all(
    Object.entries(requiredReads).map(async ([name, ask]) => {
      try {
        await ask(stripe);
        return [];
      } catch (thrown) {
        if (thrown instanceof Stripe.errors.StripePermissionError) return [name];
        throw thrown;
      }
    }),
  );
  return tried.flat();
}

const granted = z.object({ access_token: z.string().min(1) });

/** The features that the PayPal app needs besides payments, by their names at PayPal, with a test request for each. */
type Features = Readonly<Record<string, () => string>>;
const features: Features = {
  'Transaction search': () => {
    const [from, until] = [Date.now() - dayMs, Date.now()].map((at) => new Date(at).toISOString());
    return `/v1/reporting/transactions?start_date=${from}&end_date=${until}&fields=transaction_info&page_size=1`;
  },
  Disputes: () => '/v1/customer/disputes?page_size=1',
};

/**
 * Requests an access token directly, because the SDK would return a cached one. Then tests each feature that the app
 * needs.
 */
async function testPayPal({ mode, fields, secrets }: PaymentConfig, timeoutMs: number): Promise<ConnectionResult> {
  const { client_id: clientId, webhook_id: webhookId } = fields;
  const { client_secret: clientSecret } = secrets;
  if (!clientId || !clientSecret) return failed('The client ID or client secret is not saved.');
  const host = getPayPalHost(mode).replace(/\/$/, '');
  const response = await fetch(`${host}/v1/oauth2/token`, {
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
  const text = await response.text();
  if (response.status === 401) return failed('PayPal does not recognize this client ID and secret.');
  if (!response.ok) return failed(`PayPal refused with status ${response.status}.`);
  const token = granted.safeParse(parseJson(text));
  if (!token.success) return failed('PayPal responded, but without an access token.');
  const missing = await listMissing(host, token.data.access_token, features, timeoutMs);
  if (missing.length > 0) {
    return failed(
      `PayPal accepts the credentials, but the app cannot use ${missing.join(' and ')}. Turn it on in the app’s features at PayPal; a new access token can take up to nine hours to include it.`,
    );
  }
  if (!webhookId) return failed('PayPal accepts the credentials. The webhook ID is still missing.');
  const message = `PayPal accepts the client ID and secret (${mode} mode).`;
  // Only installations that pay sellers by PayPal need it.
  const isWithoutPayouts = (await listMissing(host, token.data.access_token, payoutFeature, timeoutMs)).length > 0;
  return {
    ok: true,
    message: isWithoutPayouts
      ? `${message} The app cannot use Payouts: turn it on in the app’s features at PayPal to pay sellers with it.`
      : message,
  };
}

/** Requests a batch that does not exist: only an app with the feature gets 404. */
const payoutFeature: Features = { Payouts: () => '/v1/payments/payouts/LINKMARKETTEST' };

/**
 * @returns names of the features whose request PayPal rejects with 403; other failures do not concern the app's
 * features
 */
async function listMissing(host: string, token: string, requested: Features, timeoutMs: number): Promise<string[]> {
  const tried = await Promise.all(
    Object.entries(requested).map(async ([name, path]) => {
      const response = await fetch(`${host}${path()}`, {
        headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.body?.cancel();
      return response.status === 403 ? [name] : [];
    }),
  );
  return tried.flat();
}

export type ConnectionResult = { ok: boolean; message: string };

/** Allows for a provider on another continent. */
const timeoutMs = 10_000;

type Check = (config: PaymentConfig, timeoutMs: number) => Promise<ConnectionResult>;
const checks: Record<PaymentProviderName, Check> = { stripe: testStripe, paypal: testPayPal, wechat: testWeChat };

/**
 * Tests the stored configuration of a mode with requests that change nothing at the provider. Network and provider
 * errors are returned as results, not thrown. The result is stored as the provider's last answer.
 */
export async function testConnection(provider: PaymentProviderName, mode: ProviderMode): Promise<ConnectionResult> {
  const service = getPaymentService(await getProviderSettings(provider), mode);
  const result = await callProvider(provider, mode);
  await recordAnswer(service, result);
  return result;
}

async function callProvider(provider: PaymentProviderName, mode: ProviderMode): Promise<ConnectionResult> {
  const config = await findReadableConfig(provider, mode);
  if (config === 'unreadable') return failed(unreadableSecretsText);
  if (!config) return failed(`Nothing is saved for ${mode} mode yet.`);
  try {
    return await checks[provider](config, timeoutMs);
  } catch (thrown) {
    const name = providerNames[provider];
    if (thrown instanceof AppError) return failed(thrown.message);
    if (isTimeout(thrown)) return failed(`${name} did not respond within ${timeoutMs / 1000} seconds.`);
    if (isNetworkFailure(thrown)) return failed(`${name} could not be reached.`);
    throw thrown;
  }
}

const isTimeout = (thrown: unknown) => thrown instanceof Error && thrown.name === 'TimeoutError';
/**
 * Checks for a failure of the network: `fetch` reports a refused connection, an unknown host and a redirect as "fetch
 * failed", and an aborted response as "terminated".
 */
const isNetworkFailure = (thrown: unknown) =>
  thrown instanceof TypeError && ['fetch failed', 'terminated'].includes(thrown.message);
