import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Reply } from '../http/reply';
import type { GatewayRequest } from '../http/request';
import type { Handler, Route } from '../http/router';
import { oneAtATime, withIdempotency } from '../provider/idempotency';
import { withFaults } from '../provider/with-faults';
import { checkToken, grantToken } from './access-token';
import { listTransactions } from './account';
import { toCaptureObject, toRefundObject } from './capture-object';
import { certificateUrl } from './certificate-url';
import { amountOf, createOrder, parseJson } from './create-order';
import { listDisputes, toDisputeObject } from './dispute-object';
import { invalidRequest, PayPalError, unprocessable } from './errors';
import { listEvents } from './event-list';
import type { PayPalGateway } from './gateway';
import type { Alteration } from './money';
import { toCapturedOrder, toMinimalOrder, toOrderObject } from './order-object';
import { capture, voidIfDue } from './outcomes';
import type { OrderRecord, RefundRecord } from './records';
import { giveBack, leftOf } from './reversals';
import { verifyWebhook } from './verify-webhook';

/** As much of PayPal's REST API as a prepaid wallet needs; the real SDK runs against it unchanged. */
export function apiRoutes(gateway: PayPalGateway): Route[] {
  const { origin } = gateway;
  const idOf = (request: GatewayRequest) => request.params.id ?? '';
  const get = (run: (request: GatewayRequest) => unknown) =>
    call(gateway, (request) => ({ status: 200, body: JSON.stringify(run(request)) }));

  return [
    [
      'POST',
      '/v1/oauth2/token',
      // The SDK asks for a token before the call that a test wants to lose the answer of.
      withFaults(gateway, { ...dialect, isNeverLost: true }, (request) => grantToken(gateway, request)),
    ],
    [
      'POST',
      '/v2/checkout/orders',
      idempotent(gateway, 201, (request) => {
        const order = createOrder(gateway, request.body);
        return wantsAll(request) ? toOrderObject(order, origin, gateway.falsified()) : toMinimalOrder(order, origin);
      }),
    ],
    [
      'GET',
      '/v2/checkout/orders/:id',
      get((request) => {
        const order = gateway.order(idOf(request));
        voidIfDue(order);
        return toOrderObject(order, origin, gateway.falsified());
      }),
    ],
    [
      'POST',
      '/v2/checkout/orders/:id/capture',
      idempotent(gateway, 201, (request) => {
        const order = gateway.order(idOf(request));
        capture(gateway, order);
        const altered = gateway.falsified();
        return wantsAll(request) ? toOrderObject(order, origin, altered) : toCapturedOrder(order, origin, altered);
      }),
    ],
    [
      'GET',
      '/v2/payments/captures/:id',
      get((request) => {
        const found = gateway.captured(idOf(request));
        const { captureNames } = gateway.controls;
        return toCaptureObject(found.order, found.capture, origin, gateway.falsified(), captureNames);
      }),
    ],
    [
      'POST',
      '/v2/payments/captures/:id/refund',
      idempotent(gateway, 201, (request) => {
        const { order } = gateway.captured(idOf(request));
        return refundObject(gateway, order, refund(gateway, order, request.body));
      }),
    ],
    [
      'GET',
      '/v2/payments/refunds/:id',
      get((request) => {
        const { order, refund: made } = gateway.refunded(idOf(request));
        return refundObject(gateway, order, made, gateway.falsified());
      }),
    ],
    ['GET', '/v1/customer/disputes', get(({ url }) => listDisputes(gateway, url.searchParams))],
    [
      'GET',
      '/v1/customer/disputes/:id',
      get((request) => {
        const { order, dispute } = gateway.disputed(idOf(request));
        return toDisputeObject(order, dispute, origin, gateway.falsified());
      }),
    ],
    ['GET', '/v1/notifications/webhooks-events', get(({ url }) => listEvents(gateway, url.searchParams))],
    ['GET', '/v1/notifications/webhooks-events/', get(({ url }) => listEvents(gateway, url.searchParams))],
    ['GET', '/v1/reporting/transactions', get((request) => listTransactions(gateway, request))],
    ['POST', '/v1/notifications/verify-webhook-signature', get((request) => verifyWebhook(gateway, request.body))],
    [
      'GET',
      new URL(certificateUrl(origin, gateway.key)).pathname,
      () => ({ status: 200, headers: { 'content-type': 'application/x-pem-file' }, body: gateway.key.certificate }),
    ],
  ];
}

/** PayPal's answer at an address it does not have. */
export function apiNotFound(): Reply {
  return new PayPalError(404, 'RESOURCE_NOT_FOUND', 'The specified resource does not exist.').toReply(
    dialect.headers(),
  );
}

const dialect = {
  headers: () => ({ 'paypal-debug-id': randomBytes(7).toString('hex').slice(0, 13) }),
  serverError: new PayPalError(500, 'INTERNAL_SERVER_ERROR', 'An internal server error occurred.'),
  forbidden: new PayPalError(403, 'NOT_AUTHORIZED', 'Authorization failed due to insufficient permissions.', [
    { issue: 'PERMISSION_DENIED', description: 'The app does not have this feature.' },
  ]),
};

function call(gateway: PayPalGateway, run: (request: GatewayRequest) => { status: number; body: string }): Handler {
  return withFaults(gateway, dialect, (request) => {
    checkToken(gateway, request);
    const { status, body } = run(request);
    return { status, headers: { 'content-type': 'application/json' }, body };
  });
}

/** A call that PayPal-Request-Id makes safe to repeat; a repeated one is answered 200. */
function idempotent(gateway: PayPalGateway, status: number, run: (request: GatewayRequest) => unknown): Handler {
  const handler = call(gateway, (request) => {
    const { replayed, ...answer } = withIdempotency(
      gateway.state,
      {
        key: keyOf(request),
        account: gateway.account?.clientId ?? '',
        content: request.body,
      },
      () => ({ status, body: JSON.stringify(run(request)) }),
      () => unprocessable('DUPLICATE_REQUEST_ID', 'This PayPal-Request-Id was used before with another request.'),
    );
    return replayed ? { ...answer, status: 200 } : answer;
  });
  return oneAtATime(keyOf, () => inProgress.toReply(dialect.headers()), handler);
}

/** Names a call by its address and PayPal-Request-Id. */
function keyOf(request: GatewayRequest): string | undefined {
  const id = request.headers['paypal-request-id'];
  return typeof id === 'string' ? `${request.url.pathname}:${id}` : undefined;
}

const inProgress = new PayPalError(
  409,
  'RESOURCE_CONFLICT',
  'The server has detected a conflict while processing this request.',
  [
    {
      issue: 'PREVIOUS_REQUEST_IN_PROGRESS',
      description: 'A call with this PayPal-Request-Id is still being answered.',
    },
  ],
);

const refundFields = z.strictObject({
  amount: z.strictObject({ currency_code: z.string(), value: z.string() }).optional(),
  note_to_payer: z.string().max(255).optional(),
  invoice_id: z.string().max(127).optional(),
  custom_id: z.string().max(127).optional(),
});

/** @throws PayPalError 400 or 422 */
function refund(gateway: PayPalGateway, order: OrderRecord, body: string): RefundRecord {
  const parsed = refundFields.safeParse(body === '' ? {} : parseJson(body));
  if (!parsed.success) throw invalidRequest('/', 'INVALID_PARAMETER_SYNTAX', z.prettifyError(parsed.error));
  const { amount, note_to_payer: note = null } = parsed.data;
  if (amount && amount.currency_code !== order.currency) {
    throw unprocessable('REFUND_CAPTURE_CURRENCY_MISMATCH', 'A refund is in the currency of its capture.');
  }
  if (order.capture?.status !== 'COMPLETED') {
    throw unprocessable('PENDING_CAPTURE', 'Only a completed capture can be refunded.');
  }
  if (leftOf(order, order.capture) <= 0) {
    throw unprocessable('CAPTURE_FULLY_REFUNDED', 'The capture was refunded completely before.');
  }
  const made = giveBack(gateway, order, { kind: 'refunded', amount: amount ? amountOf(amount) : null, note });
  if (!made) throw unprocessable('REFUND_AMOUNT_EXCEEDED', 'The refund is larger than what is left of the capture.');
  return made.refund;
}

function refundObject(gateway: PayPalGateway, order: OrderRecord, made: RefundRecord, altered: Alteration = {}) {
  if (!order.capture) throw new Error(`The order ${order.id} has a refund without a capture`);
  return toRefundObject(order, order.capture, made, gateway.origin, altered);
}

function wantsAll(request: GatewayRequest): boolean {
  return String(request.headers.prefer ?? '').includes('return=representation');
}
