import Stripe from 'stripe';
import { z } from 'zod';
import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import { AppError } from '../../errors';
import { newId } from '../../ids';
import { providerNames } from '../providers/names';
import { payPalHost } from '../providers/paypal/provider';
import { ProviderError } from '../providers/provider';
import { openStripe } from '../providers/stripe/provider';
import { type WeChatAccount, weChatAccount } from '../providers/wechat/account';
import { sendToWeChat, type WeChatAnswer } from '../providers/wechat/client';
import { weChatKey } from '../providers/wechat/keys';
import { isSignedByWeChat } from '../providers/wechat/signature';
import { type PaymentConfig, readableConfig, unreadableText } from './config';
import { privateKeyField } from './fields';

const refusal = z.object({ code: z.string(), message: z.string().default('') });
/** WeChat's two spellings of "there is no such order": it knew us and looked for it. */
const unknownOrder = new Set(['ORDER_NOT_EXIST', 'ORDERNOTEXIST']);

const failed = (message: string): ConnectionResult => ({ ok: false, message: message.slice(0, 300) });

/**
 * Asks for an order that does not exist, signed: only a merchant it knows is told so. The answer's signature shows
 * whether we could believe WeChat in turn.
 */
async function testWeChat(config: PaymentConfig): Promise<ConnectionResult> {
  const missing = missingOf(config);
  if (missing.length > 0) return failed(`Not saved for this mode: ${missing.join(', ')}.`);
  const account = weChatAccount(config);
  if (!account) {
    const isShort = Buffer.byteLength(config.secrets.api_v3_key ?? '') !== 32;
    return failed(
      isShort
        ? 'API key must be exactly 32 characters.'
        : 'WeChat Pay has no test system: only Live mode can be used outside of the demo.',
    );
  }
  const { mchid } = account.merchant;
  const path = `/v3/pay/transactions/out-trade-no/${newId()}?mchid=${encodeURIComponent(mchid)}`;
  try {
    const answer = await sendToWeChat(account, 'GET', path);
    const refused = refusedBecause(answer);
    if (refused !== null) return failed(refused);
    if (!(await isBelieved(account, answer))) {
      return failed('WeChat Pay accepts our key, but its own signature does not fit: check its public key and ID.');
    }
    return { ok: true, message: `WeChat Pay accepts the merchant ID, serial and private key (${config.mode} mode).` };
  } catch (thrown) {
    if (!(thrown instanceof ProviderError)) throw thrown;
    return failed(`${thrown.reason}.`);
  }
}

function missingOf({ fields, secrets }: PaymentConfig): string[] {
  const wanted: [string, string | undefined][] = [
    ['merchant ID', fields.mchid],
    ['AppID', fields.appid],
    ['API v3 key', secrets.api_v3_key],
    ['certificate serial', fields.serial_no],
    ['private key', secrets[privateKeyField]],
  ];
  return wanted.filter(([, value]) => !value).map(([name]) => name);
}

/** Null when it knew us. */
function refusedBecause({ status, raw }: WeChatAnswer): string | null {
  const said = refusal.safeParse(parsed(raw.toString('utf8')));
  if (said.success && unknownOrder.has(said.data.code)) return null;
  if (status === 401) return 'WeChat Pay does not accept the signature: merchant ID, serial and key do not match.';
  return `WeChat Pay refused: ${said.success ? `${said.data.code} ${said.data.message}`.trim() : `status ${status}`}`;
}

async function isBelieved(account: WeChatAccount, { headers, raw }: WeChatAnswer): Promise<boolean> {
  const key = await weChatKey(account, headers.get('wechatpay-serial') ?? '');
  return key !== null && isSignedByWeChat(raw, headers, key);
}

/**
 * What restricted keys have to read, by the name of the permission in Stripe's dashboard: each is asked for one object.
 * Checkout Sessions, PaymentIntents, Charges and Refunds are needed by the first payment already.
 */
const readable: Readonly<Record<string, (stripe: Stripe) => Promise<unknown>>> = {
  Events: (stripe) => stripe.events.list({ limit: 1 }),
  'Balance transactions': (stripe) => stripe.balanceTransactions.list({ limit: 1 }),
  Payouts: (stripe) => stripe.payouts.list({ limit: 1 }),
  Disputes: (stripe) => stripe.disputes.list({ limit: 1 }),
};

/**
 * Reads the account's balance, a harmless call that needs the secret key, and one object of each kind that the key must
 * be able to read.
 */
async function testStripe({ mode, secrets }: PaymentConfig, timeoutMs: number): Promise<ConnectionResult> {
  const secretKey = secrets.secret_key;
  if (!secretKey) return { ok: false, message: 'No secret key is saved for this mode.' };
  try {
    const stripe = openStripe(secretKey, mode, { timeout: timeoutMs, maxNetworkRetries: 0 });
    const balance = await stripe.balance.retrieve();
    const found = balance.livemode ? 'live' : 'test';
    if (found !== mode) return { ok: false, message: `Stripe answered in ${found} mode, but the mode is ${mode}.` };
    const missing = await unreadableOf(stripe);
    if (missing.length > 0) {
      const message = `Stripe accepts the key, but the key may not read ${missing.join(', ')}. Add read access to it at Stripe.`;
      return { ok: false, message };
    }
    if (!secrets.webhook_secret) {
      return { ok: false, message: 'Stripe accepts the key. The webhook secret is still missing.' };
    }
    return { ok: true, message: `Stripe accepts the secret key (${found} mode).` };
  } catch (thrown) {
    if (thrown instanceof Stripe.errors.StripeAuthenticationError) {
      return { ok: false, message: 'Stripe does not know this secret key.' };
    }
    if (thrown instanceof Stripe.errors.StripePermissionError) {
      return { ok: false, message: 'Stripe knows this key, but it may not do what payments need.' };
    }
    if (thrown instanceof Stripe.errors.StripeConnectionError) {
      const isLate = /timed out|timeout/i.test(thrown.message);
      return { ok: false, message: isLate ? 'Stripe did not answer in time.' : 'Stripe could not be reached.' };
    }
    if (thrown instanceof Stripe.errors.StripeError) {
      return { ok: false, message: `Stripe refused: ${thrown.message}`.slice(0, 300) };
    }
    throw thrown;
  }
}

/** @returns names of permissions */
async function unreadableOf(stripe: Stripe): Promise<string[]> {
  const tried = await Promise.all(
    Object.entries(readable).map(async ([name, ask]) => {
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
async function testPayPal({ mode, fields, secrets }: PaymentConfig, timeoutMs: number): Promise<ConnectionResult> {
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

/** What came of it, in words for the admin. */
export type ConnectionResult = { ok: boolean; message: string };

/** Long enough for a provider on another continent, short enough to wait for. */
const timeoutMs = 10_000;

type Check = (config: PaymentConfig, timeoutMs: number) => Promise<ConnectionResult>;
const checks: Record<PaymentProviderName, Check> = { stripe: testStripe, paypal: testPayPal, wechat: testWeChat };

/**
 * Asks a provider whether it accepts what is saved for a mode, by a call that changes nothing there. Whatever goes
 * wrong outside this house is an answer, not an error.
 */
export async function testConnection(provider: PaymentProviderName, mode: ProviderMode): Promise<ConnectionResult> {
  const config = await readableConfig(provider, mode);
  if (config === 'unreadable') return { ok: false, message: unreadableText };
  if (!config) return { ok: false, message: `Nothing is saved for ${mode} mode yet.` };
  try {
    return await checks[provider](config, timeoutMs);
  } catch (thrown) {
    const name = providerNames[provider];
    if (thrown instanceof AppError) return { ok: false, message: thrown.message };
    if (isTimeout(thrown)) return { ok: false, message: `${name} did not answer within ${timeoutMs / 1000} seconds.` };
    if (isNetworkFailure(thrown)) return { ok: false, message: `${name} could not be reached.` };
    throw thrown;
  }
}

const isTimeout = (thrown: unknown) => thrown instanceof Error && thrown.name === 'TimeoutError';
/** `fetch` reports a refused connection, an unknown host and a redirect alike, and an answer that breaks off so. */
const isNetworkFailure = (thrown: unknown) =>
  thrown instanceof TypeError && ['fetch failed', 'terminated'].includes(thrown.message);
