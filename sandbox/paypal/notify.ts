import { type SentEvents, sendEvent } from '@/sandbox/provider/send-event';
import { toCaptureObject, toRefundObject } from './capture-object';
import { toDisputeObject } from './dispute-object';
import type { PayPalGateway } from './gateway';
import { newPayPalId } from './ids';
import { toOrderObject } from './order-object';
import { payoutLinks, toPayoutHeader, toPayoutItem } from './payout-object';
import type {
  CaptureRecord,
  DisputeRecord,
  OrderRecord,
  PayoutBatchRecord,
  PayoutItemRecord,
  PayoutStatus,
  RefundRecord,
} from './records';

/** Sends `CHECKOUT.ORDER.APPROVED`: the buyer approved, the order is not captured yet. */
export function notifyApproved(gateway: PayPalGateway, order: OrderRecord): SentEvents {
  return send(gateway, order, {
    type: 'CHECKOUT.ORDER.APPROVED',
    resourceType: 'checkout-order',
    summary: 'An order has been approved by buyer',
    resource: toOrderObject(order, gateway.origin, gateway.alteration()),
  });
}

/** Sends `CHECKOUT.PAYMENT-APPROVAL.REVERSED`: the approval was not captured in time and is reversed. */
export function notifyApprovalReversed(gateway: PayPalGateway, order: OrderRecord): SentEvents {
  const { purchase_units, payment_source } = toOrderObject(order, gateway.origin, gateway.alteration());
  return send(gateway, order, {
    type: 'CHECKOUT.PAYMENT-APPROVAL.REVERSED',
    resourceType: 'checkout-order',
    summary: 'A payment approval has been reversed',
    resource: { order_id: order.id, purchase_units, payment_source },
  });
}

/** Sends an event about a capture. */
export function notifyCapture(
  gateway: PayPalGateway,
  order: OrderRecord,
  capture: CaptureRecord,
  what: 'COMPLETED' | 'PENDING' | 'DENIED' | 'DECLINED',
): SentEvents {
  return send(gateway, order, {
    type: `PAYMENT.CAPTURE.${what}`,
    resourceType: 'capture',
    summary: `Payment ${what.toLowerCase()}`,
    resource: toCaptureObject(order, capture, gateway.origin, gateway.alteration(), gateway.controls.captureNames),
  });
}

/** Sends `PAYMENT.CAPTURE.REFUNDED`, `PAYMENT.CAPTURE.REVERSED`, or the state of a refund that is not completed. */
export function notifyRefund(
  gateway: PayPalGateway,
  order: OrderRecord,
  capture: CaptureRecord,
  refund: RefundRecord,
): SentEvents {
  return send(gateway, order, {
    type: refund.kind === 'reversed' ? 'PAYMENT.CAPTURE.REVERSED' : refundEvents[refund.status],
    resourceType: 'refund',
    summary: `A payment was ${refund.kind}`,
    resource: toRefundObject(order, capture, refund, gateway.origin, gateway.alteration()),
  });
}

const refundEvents = {
  COMPLETED: 'PAYMENT.CAPTURE.REFUNDED',
  PENDING: 'PAYMENT.REFUND.PENDING',
  FAILED: 'PAYMENT.REFUND.FAILED',
  CANCELLED: 'PAYMENT.REFUND.FAILED',
} as const;

/** Sends `CUSTOMER.DISPUTE.CREATED`, `UPDATED` or `RESOLVED`. */
export function notifyDispute(gateway: PayPalGateway, order: OrderRecord, dispute: DisputeRecord): SentEvents {
  return send(gateway, order, {
    type: `CUSTOMER.DISPUTE.${dispute.outcome ? 'RESOLVED' : dispute.isUnderReview ? 'UPDATED' : 'CREATED'}`,
    resourceType: 'dispute',
    summary: `Case # ${dispute.id} was ${dispute.outcome ? 'resolved' : dispute.isUnderReview ? 'updated' : 'opened'}`,
    resource: toDisputeObject(order, dispute, gateway.origin, gateway.alteration()),
  });
}

const payoutEvents: Readonly<Partial<Record<PayoutStatus, string>>> = {
  SUCCESS: 'SUCCEEDED',
  FAILED: 'FAILED',
  UNCLAIMED: 'UNCLAIMED',
  ONHOLD: 'HELD',
  BLOCKED: 'BLOCKED',
  RETURNED: 'RETURNED',
  REFUNDED: 'REFUNDED',
  // PayPal has no event for a reversal.
};

/** Sends `PAYMENT.PAYOUTS-ITEM.*`: the state of a payout; null for a state without an event. */
export function notifyPayout(
  gateway: PayPalGateway,
  batch: PayoutBatchRecord,
  item: PayoutItemRecord,
): SentEvents | null {
  const name = payoutEvents[item.status];
  if (!name) return null;
  return send(gateway, item, {
    type: `PAYMENT.PAYOUTS-ITEM.${name}`,
    resourceType: 'payouts_item',
    summary: `Payout item is ${item.status.toLowerCase()}`,
    resource: toPayoutItem(batch, item, gateway.origin, gateway.alteration()),
  });
}

/** Sends `PAYMENT.PAYOUTSBATCH.*`: the state of a batch. It is listed with the batch's first payout. */
export function notifyPayoutBatch(gateway: PayPalGateway, batch: PayoutBatchRecord): SentEvents | null {
  const [first] = batch.items;
  if (!first || batch.status === 'PENDING') return null;
  return send(gateway, first, {
    type: `PAYMENT.PAYOUTSBATCH.${batch.status}`,
    resourceType: 'payouts',
    summary: `Payouts batch is ${batch.status.toLowerCase()}`,
    resource: { batch_header: toPayoutHeader(batch), links: payoutLinks(batch, gateway.origin) },
  });
}

type EventContent = { type: string; resourceType: string; summary: string; resource: object };

function send(gateway: PayPalGateway, subject: { id: string }, content: EventContent): SentEvents {
  const createdAt = Date.now();
  const id = newPayPalId.event();
  const self = `${gateway.origin}/v1/notifications/webhooks-events/${id}`;
  const event = {
    id,
    event_version: '1.0',
    create_time: new Date(createdAt).toISOString(),
    resource_type: content.resourceType,
    resource_version: '2.0',
    event_type: content.type,
    summary: content.summary,
    resource: content.resource,
    links: [
      { href: self, rel: 'self', method: 'GET' },
      { href: `${self}/resend`, rel: 'resend', method: 'POST' },
    ],
  };
  const webhookId = gateway.account?.webhookId ?? '';
  return sendEvent(gateway, {
    id,
    type: content.type,
    subjectId: subject.id,
    body: JSON.stringify(event),
    createdAt,
    // PayPal's events do not state the mode: an event of the live account is signed for another webhook.
    signedAs: gateway.controls.alterLivemode ? `${webhookId}LIVE` : webhookId,
  });
}
