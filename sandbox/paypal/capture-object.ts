import type { Controls } from '@/sandbox/provider/controls';
import type { Link } from './errors';
import { type Alteration, toMoney } from './money';
import type { CaptureRecord, OrderRecord, RefundRecord } from './records';
import { sumRefunds } from './refunded';
import { toIso } from './to-iso';

/** Returns PayPal's fee of 3.49 % plus 0.49, as for a US account. */
function computeFee(amount: number): number {
  return Math.min(amount, Math.round(amount * 0.0349) + 49);
}

/**
 * Returns a capture in responses of the Payments API and in events. The Orders API omits `supplementary_data`.
 * @param naming how the capture references its order; see the controls
 */
export function toCaptureObject(
  order: OrderRecord,
  capture: CaptureRecord,
  origin: string,
  altered: Alteration = {},
  naming: Controls['captureNames'] = 'all',
) {
  return {
    ...toOrderCapture(order, capture, origin, altered, naming),
    ...(naming === 'all' && { supplementary_data: { related_ids: { order_id: order.id } } }),
  };
}

/** Returns a capture within its order. */
export function toOrderCapture(
  order: OrderRecord,
  capture: CaptureRecord,
  origin: string,
  altered: Alteration,
  naming: Controls['captureNames'] = 'all',
) {
  const amount = altered.amount ?? order.amount;
  const currency = altered.currency ?? order.currency;
  const fee = computeFee(amount);
  const self = `${origin}/v2/payments/captures/${capture.id}`;
  return {
    id: capture.id,
    status: getStatus(order, capture),
    ...(capture.status === 'PENDING' && { status_details: { reason: 'PENDING_REVIEW' } }),
    amount: toMoney(amount, currency),
    final_capture: true,
    seller_protection: {
      status: 'ELIGIBLE',
      dispute_categories: ['ITEM_NOT_RECEIVED', 'UNAUTHORIZED_TRANSACTION'],
    },
    seller_receivable_breakdown: {
      gross_amount: toMoney(amount, currency),
      paypal_fee: toMoney(fee, currency),
      net_amount: toMoney(amount - fee, currency),
    },
    ...(order.customId !== null && naming !== 'up_link' && { custom_id: order.customId }),
    ...(order.invoiceId !== null && { invoice_id: order.invoiceId }),
    create_time: toIso(capture.created),
    update_time: toIso(order.updated),
    links: [
      { href: self, rel: 'self', method: 'GET' },
      { href: `${self}/refund`, rel: 'refund', method: 'POST' },
      ...(naming === 'custom_id'
        ? []
        : [{ href: `${origin}/v2/checkout/orders/${order.id}`, rel: 'up', method: 'GET' }]),
    ] satisfies Link[],
  };
}

/** Returns a refund or reversal in PayPal's responses. */
export function toRefundObject(
  order: OrderRecord,
  capture: CaptureRecord,
  refund: RefundRecord,
  origin: string,
  altered: Alteration = {},
) {
  const customId = refund.customId ?? order.customId;
  const invoiceId = refund.invoiceId ?? order.invoiceId;
  const amount = altered.amount ?? refund.amount;
  const currency = altered.currency ?? order.currency;
  return {
    id: refund.id,
    status: refund.status,
    ...(refund.status === 'PENDING' && { status_details: { reason: 'ECHECK' } }),
    amount: toMoney(amount, currency),
    ...(refund.note !== null && { note_to_payer: refund.note }),
    seller_payable_breakdown: {
      gross_amount: toMoney(amount, currency),
      paypal_fee: toMoney(0, currency),
      net_amount: toMoney(amount, currency),
      total_refunded_amount: toMoney(altered.amount ?? sumRefunds(capture, refund), currency),
    },
    ...(customId !== null && { custom_id: customId }),
    ...(invoiceId !== null && { invoice_id: invoiceId }),
    create_time: toIso(refund.created),
    update_time: toIso(refund.created),
    links: [
      { href: `${origin}/v2/payments/refunds/${refund.id}`, rel: 'self', method: 'GET' },
      { href: `${origin}/v2/payments/captures/${capture.id}`, rel: 'up', method: 'GET' },
    ] satisfies Link[],
  };
}

function getStatus(order: OrderRecord, capture: CaptureRecord): string {
  const refunded = sumRefunds(capture);
  if (refunded === 0) return capture.status;
  return refunded < order.amount ? 'PARTIALLY_REFUNDED' : 'REFUNDED';
}
