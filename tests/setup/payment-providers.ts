import { generateKeyPairSync, randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { exchangeRates } from '@/db/schema/settings';
import { type PaymentProviderName, paymentProviders, topups } from '@/db/schema/topups';
import { type Actor, systemActor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { savePaymentConfig } from '@/lib/payments/config/config';
import { createTopup } from '@/lib/payments/top-ups/create';
import { handleWebhook } from '@/lib/payments/webhooks/webhook-route';
import { keysSchema } from '@/sandbox/keys/records';
import { paypalDestination } from '@/sandbox/paypal/sign';
import { type RunningGateway, startGateway } from '@/sandbox/start';
import { stripeDestination } from '@/sandbox/stripe/sign';
import { encrypt } from '@/sandbox/wechat/encrypt';
import { wechatDestination } from '@/sandbox/wechat/sign';
import { makeUser } from '@/tests/factories/make-user';
import { recordConformance } from './conformance/recorder';
import { testApiV3Key } from './conformance/wechat';
import { startWebhookReceiver, type TakeNotification } from './webhook-receiver';

const merchantKeys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/** The credentials that the app and the gateway share, by provider. */
const accounts = {
  stripe: { secret: 'whsec_provider_tests' },
  paypal: { clientId: 'client-of-the-tests', clientSecret: 'secret-of-the-tests', webhookId: 'WEBHOOK0FTHETESTS' },
  wechat: {
    mchid: '1900000109',
    appid: 'wx0123456789abcdef',
    apiV3Key: testApiV3Key,
    merchantSerial: '5157F09EFDC096DE15EBE81A47057A7232F1B8E1',
    merchantPublicKey: merchantKeys.publicKey,
  },
};

const gatewayState = z.object({ keys: keysSchema });
const published = z.object({ wechatPublicKeyId: z.string(), wechatPublicKeyPem: z.string() });

/** The price of one CNY in these tests, in millionths of a USD: a rate that yields fractions of a fen. */
export const cnyMicros = 139_700;

const accountAnswer = z.object({
  balance: z.record(z.string(), z.number()),
  movements: z.array(
    z.object({ paymentId: z.string().nullable(), type: z.string(), gross: z.number(), fee: z.number() }),
  ),
});
const sessionList = z.array(z.object({ id: z.string(), reference: z.string().nullable() }));

type Fields = Record<string, string | number | boolean | null>;

/**
 * Runs the sandbox gateway with all providers for a test file: the real SDKs and our WeChat client call it, and its
 * signed notifications reach `handleWebhook` over HTTP. Notifications are held until the test delivers them.
 * @param storesState writes the sandbox's state to a file at every call, from which `invent` reads the keys
 */
export function withProviders({ storesState = false }: { storesState?: boolean } = {}) {
  const running: { gateway?: RunningGateway; appUrl: string; close?: () => Promise<void>; take: TakeNotification } = {
    appUrl: '',
    take: handleWebhook,
  };
  const conformance = recordConformance();
  const folder = mkdtempSync(join(tmpdir(), 'gateway-'));
  const stateFile = join(folder, 'gateway.json');

  beforeAll(async () => {
    const receiver = await startWebhookReceiver((...given) => running.take(...given));
    const gateway = await startGateway({
      observe: conformance.observe,
      port: 0,
      appUrl: receiver.url,
      stripeWebhookSecret: accounts.stripe.secret,
      paypal: accounts.paypal,
      wechat: accounts.wechat,
      ...(storesState && { stateFile }),
    });
    running.appUrl = receiver.url;
    process.env.STRIPE_BASE_URL = `http://127.0.0.1:${gateway.ports.stripe}`;
    process.env.PAYPAL_BASE_URL = `http://127.0.0.1:${gateway.ports.paypal}`;
    process.env.WECHAT_BASE_URL = `http://127.0.0.1:${gateway.ports.wechat}`;
    running.gateway = gateway;
    running.close = async () => {
      await gateway.close();
      await receiver.close();
      rmSync(folder, { recursive: true });
    };
    await configureAll(gateway);
    await db().insert(exchangeRates).values({ id: newId(), currency: 'CNY', usdMicrosPerUnit: cnyMicros });
  });
  beforeEach(async () => {
    running.take = handleWebhook;
    await post('/controls/reset', { wipe: true });
    for (const provider of paymentProviders) await post(`/controls/${provider}`, { mode: 'hold' });
    // The setting of the merchant platform that docs/payments-wechat.md requires.
    await post('/controls/wechat', { refundNotices: 'sent' });
  });
  afterAll(async () => {
    await running.close?.();
    conformance.expectNoFindings();
  });

  async function post(path: string, body: Fields = {}): Promise<number> {
    if (!running.gateway) throw new Error('The sandbox is not running.');
    const response = await fetch(`${running.gateway.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return response.status;
  }

  return {
    /** Sets the behaviour of a provider. */
    control: (provider: PaymentProviderName, changes: Fields) => post(`/controls/${provider}`, changes),
    /**
     * Applies an action to a payment at its provider. @returns the status: 409 for an action that is no longer possible
     */
    act: (provider: PaymentProviderName, reference: string, action: string, fields: Fields = {}) =>
      post(`/controls/${provider}/sessions/${reference}/${action}`, fields),
    /**
     * Sends an event that the provider did not create, with a valid signature. WeChat's `resource` is encrypted. Requires
     * `storesState`.
     * @returns the status of the webhook's response
     */
    invent: async (provider: PaymentProviderName, event: Record<string, unknown>): Promise<number> => {
      const { keys } = gatewayState.parse(JSON.parse(readFileSync(stateFile, 'utf8')));
      const { stripe, paypal, wechat } = accounts;
      const { paypal: port } = running.gateway?.ports ?? { paypal: 0 };
      const { wechatPublicKeyId } = await publishedKeys(running.gateway);
      const signer = {
        stripe: () => ({ ...stripeDestination(running.appUrl, stripe.secret), signedAs: '' }),
        paypal: () => ({
          ...paypalDestination(running.appUrl, `http://127.0.0.1:${port}`, keys.paypal),
          signedAs: paypal.webhookId,
        }),
        wechat: () => ({ ...wechatDestination(running.appUrl, keys.wechat), signedAs: wechatPublicKeyId }),
      }[provider]();
      const seal = () => encrypt(wechat.apiV3Key, JSON.stringify(event.resource), 'transaction');
      const body = JSON.stringify({ ...event, ...(provider === 'wechat' && { resource: seal() }) });
      const { url, headers, signedAs } = signer;
      const signed = headers({ id: '', type: '', provider, subjectId: '', body, signedAs, createdAt: 0 }, 'valid');
      return (await fetch(url, { method: 'POST', headers: signed, body })).status;
    },
    /**
     * Creates a payout, its return, a fee or a payment of another shop. @returns the status: 409 when no money can move
     */
    moveAccount: (
      provider: PaymentProviderName,
      action: 'pay-out' | 'fail-payout' | 'charge-elsewhere' | 'charge-fee',
      fields: Fields = {},
    ) => post(`/controls/${provider}/account/${action}`, fields),
    /** The balance of a provider's account by currency, and its income for other shops, in minor units. */
    accountOf: async (provider: PaymentProviderName): Promise<{ held: Record<string, number>; foreign: number }> => {
      const answer = await fetch(`${running.gateway?.url}/controls/${provider}/account`);
      const { balance, movements } = accountAnswer.parse(await answer.json());
      const others = movements.filter(({ paymentId, type }) => paymentId === null && type === 'charge');
      return { held: balance, foreign: others.reduce((sum, { gross, fee }) => sum + gross - fee, 0) };
    },
    /** A payment as the provider stores it. */
    look: async (provider: PaymentProviderName, reference: string): Promise<unknown> =>
      (await fetch(`${running.gateway?.url}/sessions/${provider}/${reference}`)).json(),
    /** Clears the state of every provider. */
    forget: () => post('/controls/reset', { wipe: true }),
    /** Creates a buyer with an open top-up. */
    open: async (provider: PaymentProviderName, amountCents: number, known?: Actor): Promise<Opened> => {
      const buyer = known ?? { ...(await makeUser()), ip: someAddress() };
      const input = { provider, amountCents, returnUrl: '/user/wallet' };
      const { id } = await createTopup(buyer, input);
      return { buyer, id, reference: (await topupRow(id)).providerReference ?? '', provider };
    },
    /** The reference of the provider's only payment, for tests in which its response is lost. */
    onlyReference: async (): Promise<string> => {
      const [only, ...others] = sessionList.parse(await (await fetch(`${running.gateway?.url}/sessions`)).json());
      if (!only || others.length > 0) throw new Error('The gateway does not have exactly one payment.');
      return only.id;
    },
    /** PayPal's id of a payout that was sent; undefined before. */
    payoutReference: async (payoutId: string): Promise<string | undefined> => {
      const all = sessionList.parse(await (await fetch(`${running.gateway?.url}/sessions`)).json());
      return all.find(({ reference }) => reference === payoutId)?.id;
    },
    /** Replaces the handler of notifications until the end of the test. */
    takeBy: (take: TakeNotification) => {
      running.take = take;
    },
    reconfigure: () => configureAll(running.gateway),
  };
}

export type Opened = { buyer: Actor; id: string; reference: string; provider: PaymentProviderName };

/** A random IP address, because rate limits count by address. */
export const someAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;

export async function topupRow(id: string): Promise<typeof topups.$inferSelect> {
  const [row] = await db().select().from(topups).where(eq(topups.id, id));
  if (!row) throw new Error(`No top-up ${id}`);
  return row;
}

async function publishedKeys(gateway: RunningGateway | undefined) {
  return published.parse(await (await fetch(`${gateway?.url}/controls/keys`)).json());
}

async function configureAll(gateway: RunningGateway | undefined): Promise<void> {
  const script = systemActor('Tests', 'script');
  const keys = await publishedKeys(gateway);
  const { paypal, wechat } = accounts;
  await savePaymentConfig(script, {
    provider: 'stripe',
    mode: 'test',
    secrets: { secret_key: 'sk_test_provider_tests', webhook_secret: accounts.stripe.secret },
  });
  await savePaymentConfig(script, {
    provider: 'paypal',
    mode: 'sandbox',
    fields: { client_id: paypal.clientId, webhook_id: paypal.webhookId },
    secrets: { client_secret: paypal.clientSecret },
  });
  await savePaymentConfig(script, {
    provider: 'wechat',
    mode: 'test',
    fields: {
      mchid: wechat.mchid,
      appid: wechat.appid,
      serial_no: wechat.merchantSerial,
      public_key_id: keys.wechatPublicKeyId,
      public_key: keys.wechatPublicKeyPem,
    },
    secrets: { api_v3_key: wechat.apiV3Key, private_key: merchantKeys.privateKey },
  });
}
