import { type AccessPoint, accessPointRoutes } from './access-point/routes';
import { type Ahrefs, ahrefsRoutes } from './ahrefs/routes';
import { deliveryEntry } from './deliveries/entry';
import type { WebhookQueue } from './deliveries/webhook-queue';
import { ecbRoutes } from './ecb/routes';
import { html, json, seeOther } from './http/reply';
import { acceptsHtml, type GatewayRequest, readFields } from './http/request';
import type { Route } from './http/router';
import { findMails } from './inbox/find-mails';
import { openaiRoutes } from './openai/routes';
import { controlRoutes } from './pages/control-routes';
import { deliveryRoutes } from './pages/delivery-routes';
import { inboxRoutes } from './pages/inbox-routes';
import { notFoundPage } from './pages/not-found-page';
import { overviewPage } from './pages/overview-page';
import { publisherRoutes } from './pages/publisher-routes';
import { sessionsPage } from './pages/sessions-page';
import type { PaymentSummary, ProviderConsole } from './provider/console';
import { defaultControls } from './provider/controls';
import type { PublishedKeys } from './published-keys';
import type { Publisher } from './publisher/publisher';
import type { PortApp } from './server';
import type { StateStore } from './state';
import { type Telegram, telegramRoutes } from './telegram/routes';
import { viesRoutes } from './vies/routes';
import type { WordPress } from './wordpress/wordpress';

const latest = 8;

export type InboxPort = {
  store: StateStore;
  webhookQueue: WebhookQueue;
  consoles: readonly ProviderConsole[];
  publisher: Publisher;
  wordpress: WordPress;
  accessPoint: AccessPoint;
  ahrefs: Ahrefs;
  telegram: Telegram;
  appUrl: string;
  /** The gateway's public keys that the app must be configured with. */
  keys: PublishedKeys;
};

/** Creates the port for users and tests: overview, inbox, delivery log and controls. */
export function inboxPort(port: InboxPort): PortApp {
  const { store, webhookQueue, consoles, publisher, accessPoint, ahrefs, telegram, appUrl, keys } = port;
  const overview: Route = [
    'GET',
    '/',
    () =>
      html(
        200,
        overviewPage({
          appUrl,
          controls: consoles.map(({ gateway }) => ({ provider: gateway.name, controls: gateway.controls })),
          ahrefs: ahrefs.controls,
          sessions: newestFirst(consoles).slice(0, latest),
          deliveries: webhookQueue
            .log()
            .slice(-latest)
            .reverse()
            .map((one) => deliveryEntry(webhookQueue, one)),
          mails: findMails(store.state.mails, null).slice(0, latest),
        }),
      ),
  ];
  return {
    routes: [
      overview,
      [
        'GET',
        '/sessions',
        (request) => {
          const requested = request.url.searchParams.get('provider');
          const payments = newestFirst(
            consoles.filter(({ gateway }) => requested === null || gateway.name === requested),
          );
          return acceptsHtml(request) ? html(200, sessionsPage(payments)) : json(200, payments);
        },
      ],
      ['GET', '/controls/keys', () => json(200, keys)],
      ...inboxRoutes(store),
      ...openaiRoutes,
      ...ecbRoutes,
      ...accessPointRoutes(accessPoint),
      ...viesRoutes,
      ...ahrefsRoutes(ahrefs),
      ...telegramRoutes(telegram),
      ...deliveryRoutes(webhookQueue),
      ...publisherRoutes(publisher),
      ['POST', '/controls/reset', (request) => reset(port, request)],
      ...consoles.flatMap((providerConsole) => [...(providerConsole.routes ?? []), ...controlRoutes(providerConsole)]),
    ],
    notFound: (request) =>
      acceptsHtml(request) ? html(404, notFoundPage('Page not found')) : json(404, { error: { message: 'Not found' } }),
  };
}

/** Lists payments of several providers, newest first; payments of the same second keep their order. */
function newestFirst(consoles: readonly ProviderConsole[]): PaymentSummary[] {
  return consoles
    .flatMap((providerConsole) => providerConsole.payments().reverse())
    .sort((one, other) => other.created - one.created);
}

/**
 * Resets all controls; `{"wipe": true}` also deletes payments, deliveries, mails and published pages, e.g. between two
 * tests.
 */
async function reset(
  { store, webhookQueue, consoles, publisher, wordpress, accessPoint, ahrefs, telegram }: InboxPort,
  request: GatewayRequest,
) {
  accessPoint.reset();
  ahrefs.reset();
  wordpress.reset();
  telegram.reset();
  for (const { gateway } of consoles) gateway.controls = defaultControls();
  const fields = readFields(request);
  if (typeof fields === 'object' && fields !== null && 'wipe' in fields && fields.wipe === true) {
    await webhookQueue.clear();
    for (const providerConsole of consoles) providerConsole.forget();
    store.state.mails.length = 0;
    publisher.forget();
    wordpress.forget();
    await store.save();
  }
  if (acceptsHtml(request)) return seeOther('/');
  return json(200, Object.fromEntries(consoles.map(({ gateway }) => [gateway.name, gateway.controls])));
}
