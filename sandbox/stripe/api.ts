import type Stripe from 'stripe';
import type { Reply } from '@/sandbox/http/reply';
import type { GatewayRequest } from '@/sandbox/http/request';
import type { Route } from '@/sandbox/http/router';
import { rejectConcurrent, withIdempotency } from '@/sandbox/provider/idempotency';
import { withFaults } from '@/sandbox/provider/with-faults';
import { firstPage, listBalanceTransactions, listPayouts } from './account';
import { emptyBalance, sandboxAccount } from './account-object';
import { toChargeObject } from './charge-object';
import { createRefund } from './create-refund';
import { createSession } from './create-session';
import { toDisputeObject } from './dispute-object';
import { invalidParam, invalidState, StripeError } from './errors';
import { listEvents } from './event-list';
import type { StripeGateway } from './gateway';
import { newStripeId } from './ids';
import { toIntentObject } from './intent-object';
import { expire, expireIfDue } from './outcomes';
import type { IntentRecord } from './records';
import { toRefundObject } from './refund-object';
import { type Alteration, toSessionObject } from './session-object';

/** Declares the part of Stripe's HTTP API that a prepaid wallet needs; Stripe's SDK runs against it unchanged. */
export function apiRoutes(gateway: StripeGateway): Route[] {
  const api = (run: (request: GatewayRequest) => { status: number; body: string; replayed?: boolean }) =>
    withFaults(gateway, dialect, (request) => {
      requireTestKey(request);
      const { status, body, replayed } = run(request);
      const headers: Record<string, string> = { 'content-type': 'application/json' };
      if (replayed) headers['idempotent-replayed'] = 'true';
      return { status, headers, body };
    });
  const get = (run: (request: GatewayRequest) => unknown) =>
    api((request) => ({ status: 200, body: JSON.stringify(run(request)) }));
  const post = (run: (request: GatewayRequest) => unknown) =>
    rejectConcurrent(
      getRequestKey,
      () => keyInUse.toReply(dialect.headers()),
      api((request) =>
        withIdempotency(
          gateway.state,
          {
            key: getHeader(request, 'idempotency-key'),
            account: getHeader(request, 'authorization') ?? '',
            content: `${request.url.pathname}\n${[...new URLSearchParams(request.body)].map(String).sort().join('\n')}`,
          },
          () => ({ status: 200, body: JSON.stringify(run(request)) }),
          keyReused,
        ),
      ),
    );

  return [
    [
      'POST',
      '/v1/checkout/sessions',
      post((request) => {
        const session = createSession(gateway, request.body, getHeader(request, 'stripe-version'));
        return toSessionObject(session, gateway.origin);
      }),
    ],
    ['GET', '/v1/checkout/sessions/:id', get((request) => retrieveSession(gateway, request))],
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
        return intentObject(gateway, intent, parseExpand(request, ['latest_charge']).includes('latest_charge'));
      }),
    ],
    [
      'GET',
      '/v1/charges/:id',
      get((request) => {
        const intent = gateway.charged(request.params.id ?? '');
        return toChargeObject(intent, gateway.session(intent.sessionId), apiAlteration(gateway));
      }),
    ],
    [
      'POST',
      '/v1/refunds',
      post((request) => {
        const { refund, intent } = createRefund(gateway, request.body);
        return toRefundObject(refund, intent, gateway.session(intent.sessionId), apiAlteration(gateway));
      }),
    ],
    ['GET', '/v1/refunds', get((request) => listRefunds(gateway, request))],
    [
      'GET',
      '/v1/refunds/:id',
      get((request) => {
        const { refund, intent } = gateway.refund(request.params.id ?? '');
        return toRefundObject(refund, intent, gateway.session(intent.sessionId), apiAlteration(gateway));
      }),
    ],
    [
      'GET',
      '/v1/disputes/:id',
      get((request) => {
        const { dispute, intent } = gateway.dispute(request.params.id ?? '');
        return toDisputeObject(dispute, intent, gateway.session(intent.sessionId), apiAlteration(gateway));
      }),
    ],
    ['GET', '/v1/disputes', get(({ url }) => listDisputes(gateway, url.searchParams))],
    ['GET', '/v1/payouts', get(({ url }) => listPayouts(gateway, url.searchParams))],
    ['GET', '/v1/events', get(({ url }) => listEvents(gateway, url.searchParams))],
    ['GET', '/v1/balance_transactions', get((request) => listBalanceTransactions(gateway, request))],
    ['GET', '/v1/account', get(() => sandboxAccount)],
    ['GET', '/v1/balance', get(() => emptyBalance)],
  ];
}

/** Returns Stripe's response for an unknown path. */
export function apiNotFound(request: GatewayRequest): Reply {
  const { pathname } = request.url;
  return new StripeError(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${request.method}: ${pathname})`,
  }).toReply({ 'request-id': newStripeId.request() });
}

function keyReused(key: string): StripeError {
  return new StripeError(400, {
    type: 'idempotency_error',
    message: `The idempotency key '${key}' was already used with other parameters; use a new key for another request`,
  });
}

const keyInUse = new StripeError(409, {
  type: 'idempotency_error',
  code: 'idempotency_key_in_use',
  message: 'Another call with this idempotency key is still in progress',
});

/** Identifies a request by its account and idempotency key. */
function getRequestKey(request: GatewayRequest): string | undefined {
  const key = getHeader(request, 'idempotency-key');
  return key && `${getHeader(request, 'authorization')}:${key}`;
}

const dialect = {
  headers: () => ({ 'request-id': newStripeId.request() }),
  serverError: new StripeError(500, { type: 'api_error', message: 'The sandbox is configured to fail' }),
  forbidden: new StripeError(403, {
    type: 'invalid_request_error',
    message: 'The provided key does not have the required permissions for this endpoint',
  }),
};

/** Requires a test key. @throws StripeError 401; a live key must never be sent to a sandbox */
function requireTestKey(request: GatewayRequest): void {
  const key = /^Bearer (.+)$/.exec(getHeader(request, 'authorization') ?? '')?.[1] ?? '';
  if (/^(sk|rk)_test_\w+$/.test(key)) return;
  const message =
    key === '' ? 'No API key was given' : 'Not a Stripe test key: the sandbox accepts only sk_test_… and rk_test_…';
  throw new StripeError(401, { type: 'invalid_request_error', message });
}

/** Retrieves a session, with its payment intent when `expand[]=payment_intent` is given. */
function retrieveSession(gateway: StripeGateway, request: GatewayRequest): Stripe.Checkout.Session {
  const session = gateway.session(request.params.id ?? '');
  expireIfDue(gateway, session);
  const object = toSessionObject(session, gateway.origin, apiAlteration(gateway));
  const expand = parseExpand(request, ['payment_intent', 'payment_intent.latest_charge']);
  if (expand.length === 0) return object;
  const withCharge = expand.includes('payment_intent.latest_charge');
  return {
    ...object,
    payment_intent:
      session.intentId === null ? null : intentObject(gateway, gateway.intent(session.intentId), withCharge),
  };
}

/** Lists the disputes, newest first. */
function listDisputes(gateway: StripeGateway, params: URLSearchParams): Stripe.ApiList<Stripe.Dispute> {
  const all = gateway.state.intents.flatMap((intent) =>
    intent.dispute ? [toDisputeObject(intent.dispute, intent, gateway.session(intent.sessionId))] : [],
  );
  return firstPage(all, params, '/v1/disputes');
}

/** Lists all refunds of a charge or payment intent, newest first, without pagination. */
function listRefunds(gateway: StripeGateway, request: GatewayRequest): Stripe.ApiList<Stripe.Refund> {
  const { searchParams } = request.url;
  const intentId = searchParams.get('payment_intent');
  const intent = intentId === null ? gateway.charged(searchParams.get('charge') ?? '') : gateway.intent(intentId);
  const session = gateway.session(intent.sessionId);
  const data = intent.refunds
    .map((refund) => toRefundObject(refund, intent, session, apiAlteration(gateway)))
    .reverse();
  return { object: 'list', data, has_more: false, url: '/v1/refunds' };
}

function intentObject(gateway: StripeGateway, intent: IntentRecord, withCharge: boolean): Stripe.PaymentIntent {
  const session = gateway.session(intent.sessionId);
  const object = toIntentObject(intent, session);
  const charge = withCharge && intent.chargeId !== null && toChargeObject(intent, session, apiAlteration(gateway));
  return charge ? { ...object, latest_charge: charge } : object;
}

/** Returns the changes that the controls make to API responses as well as events. */
function apiAlteration(gateway: StripeGateway): Alteration {
  return gateway.controls.alterApi ? gateway.alteration() : {};
}

/** Parses the `expand` parameter. @throws StripeError 400 for an unsupported expansion */
function parseExpand(request: GatewayRequest, possible: readonly string[]): string[] {
  const expand = [...request.url.searchParams].filter(([name]) => name.startsWith('expand[')).map(([, value]) => value);
  const unknown = expand.find((name) => !possible.includes(name));
  if (unknown !== undefined) throw invalidParam(`The sandbox cannot expand ${unknown}`, 'expand');
  return expand;
}

function getHeader(request: GatewayRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
