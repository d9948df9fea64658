import { toOrderCapture, toRefundObject } from './capture-object';
import type { Link } from './errors';
import { type Alteration, toMoney } from './money';
import type { OrderRecord } from './records';
import { toIso } from './to-iso';

const merchantId = 'SANDB2XMERCH3';

/** Returns an order in responses to GET and with `Prefer: return=representation`, and in events. */
export function toOrderObject(order: OrderRecord, origin: string, altered: Alteration = {}) {
  const { capture } = order;
  return {
    ...toMinimalOrder(order, origin),
    intent: 'CAPTURE',
    purchase_units: [
      {
        reference_id: order.referenceId,
        amount: toMoney(altered.amount ?? order.amount, altered.currency ?? order.currency),
        payee: { email_address: 'shop@sandbox.example.com', merchant_id: merchantId },
        ...(order.description !== null && { description: order.description }),
        ...(order.customId !== null && { custom_id: order.customId }),
        ...(order.invoiceId !== null && { invoice_id: order.invoiceId }),
        ...(capture && {
          payments: {
            captures: [toOrderCapture(order, capture, origin, altered)],
            ...(capture.refunds.length > 0 && {
              refunds: capture.refunds.map((refund) => toRefundObject(order, capture, refund, origin, altered)),
            }),
          },
        }),
      },
    ],
    ...(isApproved(order) && { payer: getPayer(order) }),
    create_time: toIso(order.created),
    update_time: toIso(order.updated),
  };
}

/** Returns the minimal response to a request that changes an order. */
export function toMinimalOrder(order: OrderRecord, origin: string) {
  const { payer_id: accountId, ...payer } = getPayer(order);
  const source = isApproved(order) ? { ...payer, account_id: accountId, account_status: 'VERIFIED' } : {};
  return {
    id: order.id,
    status: order.status,
    ...((order.hasPaymentSource || isApproved(order)) && { payment_source: { paypal: source } }),
    links: listLinks(order, origin),
  };
}

/** Returns the response to a capture: the minimal order with its capture. */
export function toCapturedOrder(order: OrderRecord, origin: string, altered: Alteration = {}) {
  const { reference_id, payments } = toOrderObject(order, origin, altered).purchase_units[0] ?? {};
  return {
    ...toMinimalOrder(order, origin),
    purchase_units: [{ reference_id, payments }],
    payer: getPayer(order),
  };
}

/** Returns the URL of the approval page. */
export function approvalUrl(order: OrderRecord, origin: string): string {
  return `${origin}/checkoutnow?token=${order.id}`;
}

/** Returns the link to the approval page: `payer-action` or `approve`. */
export function approvalLink(order: OrderRecord, origin: string): Link {
  return { href: approvalUrl(order, origin), rel: order.hasPaymentSource ? 'payer-action' : 'approve', method: 'GET' };
}

function listLinks(order: OrderRecord, origin: string): Link[] {
  const self = `${origin}/v2/checkout/orders/${order.id}`;
  const canApprove = order.status === 'CREATED' || order.status === 'PAYER_ACTION_REQUIRED';
  const canCapture = canApprove || order.status === 'APPROVED';
  return [
    { href: self, rel: 'self', method: 'GET' },
    ...(canApprove ? [approvalLink(order, origin)] : []),
    ...(canCapture ? [{ href: `${self}/capture`, rel: 'capture', method: 'POST' }] : []),
  ];
}

function isApproved({ status }: OrderRecord): boolean {
  return status === 'APPROVED' || status === 'COMPLETED';
}

function getPayer(order: OrderRecord) {
  return {
    name: { given_name: 'Sandbox', surname: 'Buyer' },
    email_address: order.payerEmail,
    payer_id: order.payerId,
    address: { country_code: 'US' },
  };
}
