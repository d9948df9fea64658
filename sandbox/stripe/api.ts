import { setTimeout as sleep } from 'node:timers/promises';
import type Stripe from 'stripe';
import type { Reply } from '../http/reply';
import type { GatewayRequest } from '../http/request';
import type { Handler, Route } from '../http/router';
import { createSession } from './create-session';
import { invalidParam, invalidState, StripeError } from './errors';
import type { StripeGateway } from './gateway';
import { withIdempotency } from './idempotency';
import { newStripeId } from './ids';
import { toIntentObject } from './intent-object';
import { expire, expireIfDue } from './outcomes';
import type { SessionRecord } from './records';
import { toSessionObject } from './session-object';

/** As much of Stripe's HTTP API as a prepaid wallet needs; the real SDK runs against it unchanged. */
export function apiRoutes(gateway: StripeGateway): Route[] {
  const api = (run: (request: GatewayRequest) => { status: number; body: string; replayed?: boolean }): Handler =>
    apiHandler(gateway, run);
  const get = (run: (request: GatewayRequest) => unknown) =>
    api((request) => ({ status: 200, body: JSON.stringify(run(request)) }));
  const post = (run: (request: GatewayRequest) => unknown) =>
    api((request) =>
      withIdempotency(
        gateway.state,
        {
          key: headerOf(request, 'idempotency-key'),
          account: headerOf(request, 'authorization') ?? '',
          path: request.url.pathname,
          body: request.body,
        },
        () => ({ status: 200, body: JSON.stringify(run(request)) }),
      ),
    );

  return [
    [
      'POST',
      '/v1/checkout/sessions',
      post((request) => {
        const session = createSession(gateway, request.body, headerOf(request, 'stripe-version'));
        return toSessionObject(session, gateway.origin);
      }),
    ],
    ['GET', '/v1/checkout/sessions/:id', get((request) => retrieved(gateway, request))],
    [
      'POST',
      '/v1/checkout/sessions/:id/expire',
      post((request) => {
        const session = gateway.session(request.params.id ?? '');
        if (!expire(gateway, session))
          throw invalidState(`Only an open session can expire; this one is ${session.status}`);
        return toSessionObject(session, gateway.origin);
      }),
    ],
    [
      'GET',
      '/v1/payment_intents/:id',
      get((request) => {
        const intent = gateway.intent(request.params.id ?? '');
        return toIntentObject(intent, gateway.session(intent.sessionId));
      }),
    ],
    ['GET', '/v1/balance', get(() => emptyBalance)],
  ];
}

/** Stripe's answer at an address it does not have. */
export function apiNotFound(request: GatewayRequest): Reply {
  const { pathname } = request.url;
  return new StripeError(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${request.method}: ${pathname})`,
  }).toReply({ 'request-id': newStripeId.request() });
}

/** Faults, the key, errors and the write to the disk, the same for every call. */
function apiHandler(
  gateway: StripeGateway,
  run: (request: GatewayRequest) => { status: number; body: string; replayed?: boolean },
): Handler {
  return async (request) => {
    const { api, slowMs } = gateway.controls;
    const headers = { 'request-id': newStripeId.request() };
    if (api === 'down') return 'hang-up';
    if (slowMs > 0 && api !== 'normal' && api !== 'lost') await sleep(slowMs);
    if (api === 'garbage') return { status: 200, headers, body: '<html>Bad gateway' };
    if (api === 'error') return serverError.toReply(headers);
    try {
      checkKey(request);
      const answer = run(request);
      await gateway.store.save();
      // The work is done before the wait, so a client that gives up and repeats meets its own idempotency key.
      if (slowMs > 0) await sleep(slowMs);
      if (api === 'lost') return 'hang-up';
      const replayed: Record<string, string> = answer.replayed ? { 'idempotent-replayed': 'true' } : {};
      return {
        status: answer.status,
        headers: { 'content-type': 'application/json', ...headers, ...replayed },
        body: answer.body,
      };
    } catch (error) {
      if (error instanceof StripeError) return error.toReply(headers);
      throw error;
    }
  };
}

const serverError = new StripeError(500, { type: 'api_error', message: 'The sandbox was told to fail' });

const emptyBalance: Stripe.Balance = {
  object: 'balance',
  available: [{ amount: 0, currency: 'usd', source_types: { card: 0 } }],
  livemode: false,
  pending: [{ amount: 0, currency: 'usd', source_types: { card: 0 } }],
};

/** @throws StripeError 401; a live key must never be sent to a sandbox */
function checkKey(request: GatewayRequest): void {
  const key = /^Bearer (.+)$/.exec(headerOf(request, 'authorization') ?? '')?.[1] ?? '';
  if (/^(sk|rk)_test_\w+$/.test(key)) return;
  const message =
    key === '' ? 'No API key was given' : 'Not a test key of Stripe: the sandbox takes sk_test_… and rk_test_… only';
  throw new StripeError(401, { type: 'invalid_request_error', message });
}

/** A session, with its payment intent in full where `expand[]=payment_intent` asks for it. */
function retrieved(gateway: StripeGateway, request: GatewayRequest): Stripe.Checkout.Session {
  const session = gateway.session(request.params.id ?? '');
  expireIfDue(gateway, session);
  const object = toSessionObject(session, gateway.origin, gateway.controls.alterApi ? gateway.alteration() : {});
  const expand = [...request.url.searchParams].filter(([name]) => name.startsWith('expand[')).map(([, value]) => value);
  const unknown = expand.find((name) => name !== 'payment_intent');
  if (unknown !== undefined) throw invalidParam(`The sandbox cannot expand ${unknown}`, 'expand');
  return expand.length > 0 ? { ...object, payment_intent: intentOf(gateway, session) } : object;
}

function intentOf(gateway: StripeGateway, session: SessionRecord): Stripe.PaymentIntent | null {
  return session.intentId === null ? null : toIntentObject(gateway.intent(session.intentId), session);
}

function headerOf(request: GatewayRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
