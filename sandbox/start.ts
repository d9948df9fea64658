import { pathToFileURL } from 'node:url';
import { PostOffice } from './deliveries/post-office';
import { inboxPort } from './inbox-port';
import { openKeys } from './keys/open-keys';
import { publishedKeys } from './keys/published-keys';
import { paypalDesk } from './paypal/desk';
import { type PayPalAccount, PayPalGateway } from './paypal/gateway';
import { paypalPort } from './paypal/port';
import { paypalDestination } from './paypal/sign';
import type { Observe } from './provider/observe';
import { readOptions } from './read-options';
import { openPorts } from './server';
import { openState } from './state';
import { stripeDesk } from './stripe/desk';
import { StripeGateway } from './stripe/gateway';
import { stripePort } from './stripe/port';
import { stripeDestination } from './stripe/sign';
import { wechatDesk } from './wechat/desk';
import { WechatGateway, type WechatMerchant } from './wechat/gateway';
import { wechatPort } from './wechat/port';
import { wechatDestination } from './wechat/sign';

export type GatewayOptions = {
  /** The port of inbox and controls; Stripe, PayPal and WeChat take the next three. 0 takes any free ports. */
  port: number;
  /** The app's address without a slash at the end: webhooks go to it. */
  appUrl: string;
  /** whsec_…, the same as in the app's configuration. */
  stripeWebhookSecret: string;
  /** The app's account at PayPal; without it the port refuses every credential. */
  paypal?: PayPalAccount;
  /** The app as a merchant of WeChat Pay; without it the port refuses every request. */
  wechat?: WechatMerchant;
  /** A JSON file for what is remembered over a restart; memory only without it. */
  stateFile?: string;
  observe?: Observe;
};

export type RunningGateway = {
  ports: { inbox: number; stripe: number; paypal: number; wechat: number };
  /** Origin of inbox and controls. */
  url: string;
  /** Ends calls and timers and closes all ports; unfinished deliveries go on at the next start with the same file. */
  close(): Promise<void>;
};

const expirySweepMs = 1_000;

/**
 * Starts the payment and mail gateway of demo and tests on the loopback address.
 * @throws Error when APP_ENV is neither demo nor test (unset means production), or when a port is taken
 */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const appEnv = process.env.APP_ENV;
  if (appEnv !== 'demo' && appEnv !== 'test') {
    throw new Error(`The sandbox gateway runs with APP_ENV=demo or test only, not ${appEnv || 'production'}`);
  }
  const appUrl = options.appUrl.replace(/\/$/, '');
  const store = await openState(options.stateFile);
  const keys = await openKeys(store);
  const [inboxServer, stripeServer, paypalServer, wechatServer] = await openPorts(options.port, 4);
  if (!inboxServer || !stripeServer || !paypalServer || !wechatServer) throw new Error('The gateway has no ports');
  const postOffice = new PostOffice(store, {
    stripe: stripeDestination(appUrl, options.stripeWebhookSecret),
    paypal: paypalDestination(appUrl, paypalServer.origin, keys.paypal),
    wechat: wechatDestination(appUrl, keys.wechat),
  });
  const { observe = () => undefined } = options;
  const surroundings = (origin: string) => ({ store, postOffice, origin, deskOrigin: inboxServer.origin, observe });
  const stripe = new StripeGateway(surroundings(stripeServer.origin));
  const paypal = new PayPalGateway(surroundings(paypalServer.origin), options.paypal ?? null, keys.paypal);
  const wechat = new WechatGateway(surroundings(wechatServer.origin), options.wechat ?? null, keys.wechat);
  const desks = [stripeDesk(stripe), paypalDesk(paypal), wechatDesk(wechat)];
  stripeServer.serve(stripePort(stripe));
  paypalServer.serve(paypalPort(paypal));
  wechatServer.serve(wechatPort(wechat));
  inboxServer.serve(inboxPort({ store, postOffice, desks, appUrl, keys: publishedKeys(keys, paypalServer.origin) }));

  postOffice.resume();
  const sweep = setInterval(() => {
    const expired = desks.map((desk) => desk.expireDue()).some(Boolean);
    if (expired) void store.save();
  }, expirySweepMs);

  return {
    ports: {
      inbox: inboxServer.port,
      stripe: stripeServer.port,
      paypal: paypalServer.port,
      wechat: wechatServer.port,
    },
    url: inboxServer.origin,
    async close() {
      clearInterval(sweep);
      await Promise.all([inboxServer, stripeServer, paypalServer, wechatServer].map((server) => server.close()));
      await postOffice.close();
      await store.save();
    },
  };
}

/** As a process: ends with its parent, so that a killed demo leaves no gateway behind. */
async function main(): Promise<void> {
  const gateway = await startGateway(readOptions(process.env));
  let ending = false;
  const end = () => {
    if (ending) return;
    ending = true;
    gateway.close().then(() => process.exit(0), fail);
  };
  process.once('disconnect', end);
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  process.send?.({ type: 'ready', ports: gateway.ports, url: gateway.url });
  process.stdout.write(`Sandbox gateway: ${gateway.url}\n`);
}

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) main().catch(fail);
