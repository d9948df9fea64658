import { html, type Reply, seeOther } from '@/sandbox/http/reply';
import type { GatewayRequest } from '@/sandbox/http/request';
import type { Handler, Route } from '@/sandbox/http/router';
import type { Outcome } from '@/sandbox/provider/send-event';
import { StripeError } from './errors';
import type { StripeGateway } from './gateway';
import { checkoutPage, noticePage } from './hosted-view';
import { decline, expireIfDue, pay, payLater } from './outcomes';
import type { SessionRecord } from './records';

/** Time to read the notice before the redirect. */
const secondsBeforeReturn = 4;

/** Declares the routes of the hosted checkout page: plain forms, no script. */
export function hostedRoutes(gateway: StripeGateway): Route[] {
  const on = (run: (session: SessionRecord) => Reply | Promise<Reply>): Handler => onSession(gateway, run);
  return [
    ['GET', '/c/pay/:id', on((session) => showSession(gateway, session))],
    ['POST', '/c/pay/:id/pay', on((session) => finish(gateway, session, pay(gateway, session)))],
    ['POST', '/c/pay/:id/later', on((session) => finish(gateway, session, payLater(gateway, session)))],
    [
      'POST',
      '/c/pay/:id/fail',
      on(async (session) => {
        decline(gateway, session);
        await gateway.store.save();
        return seeOther(`/c/pay/${session.id}`);
      }),
    ],
  ];
}

function onSession(gateway: StripeGateway, run: (session: SessionRecord) => Reply | Promise<Reply>): Handler {
  return async (request: GatewayRequest) => {
    try {
      return await run(gateway.session(request.params.id ?? ''));
    } catch (error) {
      if (!(error instanceof StripeError)) throw error;
      return html(404, noticePage('Checkout not found', 'This URL does not belong to a payment of the sandbox.', null));
    }
  };
}

/** Redirects to the shop when this request decided the session, otherwise to its page with the current state. */
async function finish(gateway: StripeGateway, session: SessionRecord, outcome: Outcome): Promise<Reply> {
  await gateway.store.save();
  if (!outcome) return seeOther(`/c/pay/${session.id}`);
  await outcome.beforeReturn;
  return seeOther(returnUrl(session));
}

async function showSession(gateway: StripeGateway, session: SessionRecord): Promise<Reply> {
  expireIfDue(gateway, session);
  await gateway.store.save();
  if (session.status === 'open') {
    const declined = session.intentId !== null && gateway.intent(session.intentId).declined;
    return html(200, checkoutPage(session, declined, gateway.consoleOrigin));
  }
  if (session.status === 'expired') {
    const link = session.cancelUrl ? { href: session.cancelUrl, label: 'Back to LinkMarket' } : null;
    return html(200, noticePage('This checkout has expired', 'Nothing was charged. Start again in the shop.', link));
  }
  const paid = session.paymentStatus === 'paid';
  const page = noticePage(
    paid ? 'Already paid' : 'Already submitted',
    `${paid ? 'The payment is complete; you were charged once.' : 'This payment is in progress.'} You are being redirected.`,
    { href: returnUrl(session), label: 'Back to LinkMarket' },
  );
  return html(200, page, { refresh: `${secondsBeforeReturn}; url=${returnUrl(session)}` });
}

function returnUrl(session: SessionRecord): string {
  return session.successUrl.replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}
