import { pathToFileURL } from 'node:url';
import { AccessPoint } from './access-point/routes';
import { Ahrefs } from './ahrefs/routes';
import { WebhookQueue } from './deliveries/webhook-queue';
import { inboxPort } from './inbox-port';
import { loadKeys } from './keys/load-keys';
import { paypalConsole } from './paypal/console';
import { PayPalGateway } from './paypal/gateway';
import { paypalPort } from './paypal/port';
import { paypalDestination } from './paypal/sign';
import { publishedKeys } from './published-keys';
import { type NameServer, openNameServer } from './publisher/name-server';
import { publisherPort } from './publisher/port';
import { Publisher } from './publisher/publisher';
import { type GatewayOptions, readOptions } from './read-options';
import { openPorts, type PortServer } from './server';
import { openState } from './state';
import { stripeConsole } from './stripe/console';
import { StripeGateway } from './stripe/gateway';
import { stripePort } from './stripe/port';
import { stripeDestination } from './stripe/sign';
import { Telegram } from './telegram/routes';
import { wechatConsole } from './wechat/console';
import { WechatGateway } from './wechat/gateway';
import { wechatPort } from './wechat/port';
import { wechatDestination } from './wechat/sign';
import { createWebsites } from './wordpress/routes';
import { WordPress } from './wordpress/wordpress';

export type RunningGateway = {
  /** The publisher's port is also that of its name server, over UDP. */
  ports: { inbox: number; stripe: number; paypal: number; wechat: number; publisher: number };
  /** Origin of the inbox and the controls. */
  url: string;
  /**
   * Ends requests and timers and closes all ports; pending deliveries continue at the next start with the same file.
   */
  close(): Promise<void>;
};

const expirySweepMs = 1_000;

/**
 * Starts the payment and mail gateway and the publisher of demo and tests on the loopback address.
 * @throws Error when APP_ENV is neither demo nor test (unset means production), or when a port is in use
 */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const appEnv = process.env.APP_ENV;
  if (appEnv !== 'demo' && appEnv !== 'test') {
    throw new Error(`The sandbox gateway runs only with APP_ENV=demo or test, not ${appEnv || 'production'}`);
  }
  const appUrl = options.appUrl.replace(/\/$/, '');
  const store = await openState(options.stateFile);
  const keys = await loadKeys(store);
  const { servers, nameServer } = await openServers(options.port);
  const [inboxServer, stripeServer, paypalServer, wechatServer, publisherServer] = servers;
  const webhookQueue = new WebhookQueue(store, {
    stripe: stripeDestination(appUrl, options.stripeWebhookSecret),
    paypal: paypalDestination(appUrl, paypalServer.origin, keys.paypal),
    wechat: wechatDestination(appUrl, keys.wechat),
  });
  const { observe = () => undefined } = options;
  const gatewayContext = (origin: string) => ({
    store,
    webhookQueue,
    origin,
    consoleOrigin: inboxServer.origin,
    observe,
  });
  const stripe = new StripeGateway(gatewayContext(stripeServer.origin));
  const paypal = new PayPalGateway(gatewayContext(paypalServer.origin), options.paypal ?? null, keys.paypal);
  const wechat = new WechatGateway(gatewayContext(wechatServer.origin), options.wechat ?? null, keys.wechat);
  const consoles = [stripeConsole(stripe), paypalConsole(paypal), wechatConsole(wechat)];
  stripeServer.serve(stripePort(stripe));
  paypalServer.serve(paypalPort(paypal));
  wechatServer.serve(wechatPort(wechat));
  const publisher = new Publisher(store);
  const wordpress = new WordPress(store, publisher);
  const accessPoint = new AccessPoint();
  publisherServer.serve(publisherPort(publisher, createWebsites(wordpress, accessPoint)));
  nameServer.serve((name) => publisher.records(name));
  inboxServer.serve(
    inboxPort({
      ...{ store, webhookQueue, consoles, publisher, wordpress, appUrl },
      accessPoint,
      ahrefs: new Ahrefs(),
      telegram: new Telegram(),
      keys: publishedKeys(keys, paypalServer.origin),
    }),
  );

  webhookQueue.resume();
  const sweep = setInterval(() => {
    const expired = consoles.map((providerConsole) => providerConsole.expireDue()).some(Boolean);
    if (expired) void store.save();
  }, expirySweepMs);

  return {
    ports: {
      inbox: inboxServer.port,
      stripe: stripeServer.port,
      paypal: paypalServer.port,
      wechat: wechatServer.port,
      publisher: publisherServer.port,
    },
    url: inboxServer.origin,
    async close() {
      clearInterval(sweep);
      await Promise.all([...servers, nameServer].map((server) => server.close()));
      await webhookQueue.close();
      await store.save();
    },
  };
}

type Servers = [inbox: PortServer, stripe: PortServer, paypal: PortServer, wechat: PortServer, publisher: PortServer];

/** Opens all ports, or none of them. @throws Error with the port that is in use */
async function openServers(first: number): Promise<{ servers: Servers; nameServer: NameServer }> {
  for (;;) {
    const [inbox, stripe, paypal, wechat, publisher] = await openPorts(first, 5);
    if (!inbox || !stripe || !paypal || !wechat || !publisher) throw new Error('The gateway has no ports');
    const servers: Servers = [inbox, stripe, paypal, wechat, publisher];
    try {
      return { servers, nameServer: await openNameServer(publisher.port) };
    } catch (error) {
      await Promise.all(servers.map((server) => server.close()));
      // A port that the system chose for TCP can be in use for UDP.
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!isTaken) throw error;
      if (first !== 0) {
        const message = `Port ${publisher.port} is in use over UDP; choose another GATEWAY_PORT`;
        throw new Error(message, { cause: error });
      }
    }
  }
}

/** Runs as a process that ends with its parent. */
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
