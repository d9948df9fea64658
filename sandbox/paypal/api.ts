import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Reply } from '@/sandbox/http/reply';
import type { GatewayRequest } from '@/sandbox/http/request';
import type { Handler, Route } from '@/sandbox/http/router';
import { rejectConcurrent, withIdempotency } from '@/sandbox/provider/idempotency';
import { withFaults } from '@/sandbox/provider/with-faults';
import { grantToken, requireToken } from './access-token';
import { listTransactions } from './account';
import { toCaptureObject, toRefundObject } from './capture-object';
import { certificateUrl } from './certificate-url';
import { createOrder, parseAmount, parseJson } from './create-order';
import { listDisputes, toDisputeObject } from './dispute-object';
import { invalidRequest, PayPalError, unprocessable } from './errors';
import { listEvents } from './event-list';
import type { PayPalGateway } from './gateway';
import type { Alteration } from './money';
import { toCapturedOrder, toMinimalOrder, toOrderObject } from './order-object';
import { capture, voidIfDue } from './outcomes';
import { toPayoutItem, toPayoutPage } from './payout-object';
import { createPayoutBatch, movePayout, notUnclaimed, processIfDue, readPayoutBatch } from './payouts';
import type { OrderRecord, RefundRecord } from './records';
import { createRefund, getRemaining } from './reversals';
import { verifyWebhook } from './verify-webhook';

/** Declares the part of PayPal's REST API that a prepaid wallet needs; PayPal's SDK runs against it unchanged. */
export function apiRoutes(gateway: PayPalGateway): Route[] {
  const { origin } = gateway;
  const idOf = (request: GatewayRequest) => request.params.id ?? '';
  const get = (run: (request: GatewayRequest) => unknown) =>
    call(gateway, (request) => ({ status: 200, body: JSON.stringify(run(request)) }));

  return [
    [
      'POST',
      '/v1/oauth2/token',
      // Excluded from `lost`: the SDK requests a token before the request whose response a test loses.
      withFaults(gateway, { ...dialect, ignoresLostMode: true }, (request) => grantToken(gateway, request)),
    ],
    [
      'POST',
      '/v2/checkout/orders',
      idempotent(gateway, 201, (request) => {
        const order = createOrder(gateway, request.body);
        return prefersRepresentation(request)
          ? toOrderObject(order, origin, gateway.apiAlteration())
          : toMinimalOrder(order, origin);
      }),
    ],
    [
      'GET',
      '/v2/checkout/orders/:id',
      get((request) => {
        const order = gateway.order(idOf(request));
        voidIfDue(order);
        return toOrderObject(order, origin, gateway.apiAlteration());
      }),
    ],
    [
      'POST',
      '/v2/checkout/orders/:id/capture',
      idempotent(gateway, 201, (request) => {
        const order = gateway.order(idOf(request));
        capture(gateway, order);
        const altered = gateway.apiAlteration();
        return prefersRepresentation(request)
          ? toOrderObject(order, origin, altered)
          : toCapturedOrder(order, origin, altered);
      }),
    ],
    [
      'GET',
      '/v2/payments/captures/:id',
      get((request) => {
        const found = gateway.findCapture(idOf(request));
        const { captureNames } = gateway.controls;
        return toCaptureObject(found.order, found.capture, origin, gateway.apiAlteration(), captureNames);
      }),
    ],
    [
      'POST',
      '/v2/payments/captures/:id/refund',
      idempotent(gateway, 201, (request) => {
        const { order } = gateway.findCapture(idOf(request));
        return refundObject(gateway, order, refund(gateway, order, request.body));
      }),
    ],
    [
      'GET',
      '/v2/payments/refunds/:id',
      get((request) => {
        const { order, refund: created } = gateway.findRefund(idOf(request));
        return refundObject(gateway, order, created, gateway.apiAlteration());
      }),
    ],
    // Idempotent by `sender_batch_id`: a repeated one is refused with a link.
    [
      'POST',
      '/v1/payments/payouts',
      call(gateway, ({ body }) => ({ status: 201, body: JSON.stringify(createPayoutBatch(gateway, body)) })),
    ],
    [
      'GET',
      '/v1/payments/payouts/:id',
      get((request) => toPayoutPage(readPayoutBatch(gateway, idOf(request)), request.url, gateway)),
    ],
    [
      'GET',
      '/v1/payments/payouts-item/:id',
      get((request) => {
        const { batch, item } = gateway.findPayout(idOf(request));
        processIfDue(gateway, batch);
        return toPayoutItem(batch, item, origin, gateway.apiAlteration());
      }),
    ],
    [
      'POST',
      '/v1/payments/payouts-item/:id/cancel',
      get((request) => {
        const { batch, item } = gateway.findPayout(idOf(request));
        if (item.status !== 'UNCLAIMED') throw notUnclaimed();
        movePayout(gateway, batch, item, 'RETURNED');
        return toPayoutItem(batch, item, origin, gateway.apiAlteration());
      }),
    ],
    ['GET', '/v1/customer/disputes', get(({ url }) => listDisputes(gateway, url.searchParams))],
    [
      'GET',
      '/v1/customer/disputes/:id',
      get((request) => {
        const { order, dispute } = gateway.findDispute(idOf(request));
        return toDisputeObject(order, dispute, origin, gateway.apiAlteration());
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

/** Returns PayPal's response for an unknown path. */
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
    requireToken(gateway, request);
    const { status, body } = run(request);
    return { status, headers: { 'content-type': 'application/json' }, body };
  });
}

/** Makes a request idempotent by PayPal-Request-Id; a repeated one is answered with 200. */
function idempotent(gateway: PayPalGateway, status: number, run: (request: GatewayRequest) => unknown): Handler {
  const handler = call(gateway, (request) => {
    const { replayed, ...response } = withIdempotency(
      gateway.state,
      {
        key: getRequestKey(request),
        account: gateway.account?.clientId ?? '',
        content: request.body,
      },
      () => ({ status, body: JSON.stringify(run(request)) }),
      () => unprocessable('DUPLICATE_REQUEST_ID', 'This PayPal-Request-Id was already used with another request.'),
    );
    return replayed ? { ...response, status: 200 } : response;
  });
  return rejectConcurrent(getRequestKey, () => inProgress.toReply(dialect.headers()), handler);
}

/** Identifies a request by its path and PayPal-Request-Id. */
function getRequestKey(request: GatewayRequest): string | undefined {
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
      description: 'A call with this PayPal-Request-Id is still in progress.',
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
  const { amount, note_to_payer: note = null, invoice_id: invoiceId = null, custom_id: customId = null } = parsed.data;
  if (amount && amount.currency_code !== order.currency) {
    throw unprocessable('REFUND_CAPTURE_CURRENCY_MISMATCH', 'A refund must be in the currency of its capture.');
  }
  if (order.capture?.status !== 'COMPLETED') {
    throw unprocessable('PENDING_CAPTURE', 'Only a completed capture can be refunded.');
  }
  if (getRemaining(order, order.capture) <= 0) {
    throw unprocessable('CAPTURE_FULLY_REFUNDED', 'The capture was already refunded in full.');
  }
  if (order.dispute !== null && order.dispute.outcome === null) {
    throw unprocessable('TRANSACTION_DISPUTED', 'The transaction is disputed and cannot be refunded.');
  }
  const fate = gateway.controls.refundFate;
  if (fate === 'refused') throw unprocessable('REFUND_FAILED_INSUFFICIENT_FUNDS', 'The balance is too low.');
  const created = createRefund(gateway, order, {
    kind: 'refunded',
    amount: amount ? parseAmount(amount) : null,
    status: refundFates[fate],
    note,
    customId,
    invoiceId,
  });
  if (!created)
    throw unprocessable('REFUND_AMOUNT_EXCEEDED', 'The refund exceeds the remaining amount of the capture.');
  return created.refund;
}

const refundFates = {
  succeeded: 'COMPLETED',
  pending: 'PENDING',
  failed: 'FAILED',
  abnormal: 'FAILED',
} as const;

function refundObject(gateway: PayPalGateway, order: OrderRecord, created: RefundRecord, altered: Alteration = {}) {
  if (!order.capture) throw new Error(`The order ${order.id} has a refund without a capture`);
  return toRefundObject(order, order.capture, created, gateway.origin, altered);
}

function prefersRepresentation(request: GatewayRequest): boolean {
  return String(request.headers.prefer ?? '').includes('return=representation');
}
