import { deliveryEntry } from './deliveries/entry';
import type { PostOffice } from './deliveries/post-office';
import { deliveryRoutes } from './deliveries/routes';
import { html, json, seeOther } from './http/reply';
import { type GatewayRequest, readFields, wantsPage } from './http/request';
import type { Route } from './http/router';
import { findMails } from './inbox/find-mails';
import { inboxRoutes } from './inbox/routes';
import type { PublishedKeys } from './keys/published-keys';
import { openaiRoutes } from './openai/routes';
import { missingPage } from './pages/missing-page';
import { overviewPage } from './pages/overview-page';
import { sessionsPage } from './pages/sessions-page';
import { controlRoutes } from './provider/control-routes';
import { defaultControls } from './provider/controls';
import type { PaymentSummary, ProviderDesk } from './provider/desk';
import type { PortApp } from './server';
import type { StateStore } from './state';

const latest = 8;

export type InboxPort = {
  store: StateStore;
  postOffice: PostOffice;
  desks: readonly ProviderDesk[];
  appUrl: string;
  /** What the app has to know of the gateway's keys. */
  keys: PublishedKeys;
};

/** The port for people and tests: overview, inbox, delivery log and controls. */
export function inboxPort({ store, postOffice, desks, appUrl, keys }: InboxPort): PortApp {
  const overview: Route = [
    'GET',
    '/',
    () =>
      html(
        200,
        overviewPage({
          appUrl,
          controls: desks.map(({ gateway }) => ({ provider: gateway.name, controls: gateway.controls })),
          sessions: newestFirst(desks).slice(0, latest),
          deliveries: postOffice
            .log()
            .slice(-latest)
            .reverse()
            .map((one) => deliveryEntry(postOffice, one)),
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
          const wanted = request.url.searchParams.get('provider');
          const payments = newestFirst(desks.filter(({ gateway }) => wanted === null || gateway.name === wanted));
          return wantsPage(request) ? html(200, sessionsPage(payments)) : json(200, payments);
        },
      ],
      ['GET', '/controls/keys', () => json(200, keys)],
      ...inboxRoutes(store),
      ...openaiRoutes,
      ...deliveryRoutes(postOffice),
      ['POST', '/controls/reset', (request) => reset(store, postOffice, desks, request)],
      ...desks.flatMap((desk) => [...(desk.routes ?? []), ...controlRoutes(desk)]),
    ],
    notFound: (request) =>
      wantsPage(request)
        ? html(404, missingPage('There is nothing here'))
        : json(404, { error: { message: 'Not found' } }),
  };
}

/** Payments of several providers; those of one second stay in the order in which they were made. */
function newestFirst(desks: readonly ProviderDesk[]): PaymentSummary[] {
  return desks.flatMap((desk) => desk.payments().reverse()).sort((one, other) => other.created - one.created);
}

/** Takes back every control; `{"wipe": true}` also forgets payments, deliveries and mails, as between two tests. */
async function reset(
  store: StateStore,
  postOffice: PostOffice,
  desks: readonly ProviderDesk[],
  request: GatewayRequest,
) {
  for (const { gateway } of desks) gateway.controls = defaultControls();
  const fields = readFields(request);
  if (typeof fields === 'object' && fields !== null && 'wipe' in fields && fields.wipe === true) {
    postOffice.clear();
    for (const desk of desks) desk.forget();
    store.state.mails.length = 0;
    await store.save();
  }
  if (wantsPage(request)) return seeOther('/');
  return json(200, Object.fromEntries(desks.map(({ gateway }) => [gateway.name, gateway.controls])));
}
