import { deliveryEntry } from './deliveries/entry';
import { deliveryRoutes } from './deliveries/routes';
import { html, json, seeOther } from './http/reply';
import { type GatewayRequest, readFields, wantsPage } from './http/request';
import type { Route } from './http/router';
import { findMails } from './inbox/find-mails';
import { inboxRoutes } from './inbox/routes';
import { missingPage } from './pages/missing-page';
import { overviewPage } from './pages/overview-page';
import type { PortApp } from './server';
import { stripeControlRoutes } from './stripe/control-routes';
import { defaultControls } from './stripe/controls';
import type { StripeGateway } from './stripe/gateway';
import { summaryOf } from './stripe/summary';

const latest = 8;

/** The port for people and tests: overview, inbox, delivery log and controls. */
export function inboxPort(stripe: StripeGateway, appUrl: string): PortApp {
  const { store, postOffice } = stripe;
  const overview: Route = [
    'GET',
    '/',
    () =>
      html(
        200,
        overviewPage({
          appUrl,
          controls: stripe.controls,
          sessions: stripe.state.sessions
            .slice(-latest)
            .reverse()
            .map((session) => summaryOf(stripe, session)),
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
      ...inboxRoutes(store),
      ...deliveryRoutes(postOffice),
      ...stripeControlRoutes(stripe),
      ['POST', '/controls/reset', (request) => reset(stripe, request)],
    ],
    notFound: (request) =>
      wantsPage(request)
        ? html(404, missingPage('There is nothing here'))
        : json(404, { error: { message: 'Not found' } }),
  };
}

/** Takes back every control; `{"wipe": true}` also forgets sessions, deliveries and mails, as between two tests. */
async function reset(stripe: StripeGateway, request: GatewayRequest) {
  stripe.controls = defaultControls();
  const fields = readFields(request);
  if (typeof fields === 'object' && fields !== null && 'wipe' in fields && fields.wipe === true) {
    stripe.postOffice.clear();
    stripe.state.sessions.length = 0;
    stripe.state.intents.length = 0;
    stripe.state.answers.length = 0;
    stripe.store.state.mails.length = 0;
    await stripe.store.save();
  }
  return wantsPage(request) ? seeOther('/') : json(200, stripe.controls);
}
