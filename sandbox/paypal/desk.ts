import { z } from 'zod';
import { amountOf, forceOf } from '../provider/action-fields';
import { type Outcome, together } from '../provider/announce';
import type { PaymentSummary, ProviderDesk } from '../provider/desk';
import type { PayPalGateway } from './gateway';
import { approvalUrl } from './order-object';
import { approve, decideCapture, isOpen, reverseApproval, voidIfDue, voidOrder } from './outcomes';
import { captureFates, type OrderRecord } from './records';
import { refundedOf } from './refunded';
import { closeDispute, giveBack, leftOf, openDispute } from './reversals';

const approval = z.object({ capture: z.enum(captureFates).default('completed') });

/** PayPal's orders as the controls and the gateway's pages see them. */
export function paypalDesk(gateway: PayPalGateway): ProviderDesk {
  const on = (run: (order: OrderRecord, fields: unknown) => Outcome) => (id: string, fields: unknown) =>
    run(gateway.order(id), fields);
  return {
    gateway,
    payments: () => gateway.state.orders.map((order) => summaryOf(gateway, order)),
    payment: (id) => summaryOf(gateway, gateway.order(id)),
    actions: {
      approve: on((order, fields) => approve(gateway, order, approval.parse(fields).capture, forceOf(fields))),
      fail: on((order) => approve(gateway, order, 'instrument_declined')),
      'complete-async': on((order) => decideCapture(gateway, order, true)),
      'fail-async': on((order) => decideCapture(gateway, order, false)),
      expire: on((order) => (voidOrder(order) ? together() : null)),
      'reverse-approval': on((order) => reverseApproval(gateway, order)),
      refund: on((order, fields) => returned(gateway, order, 'refunded', amountOf(fields))),
      reverse: on((order) => returned(gateway, order, 'reversed', null)),
      dispute: on((order) => openDispute(gateway, order)),
      'dispute-won': on((order, fields) => closeDispute(gateway, order, true, amountOf(fields))),
      'dispute-lost': on((order) => closeDispute(gateway, order, false)),
    },
    expireDue: () => gateway.state.orders.map(voidIfDue).some(Boolean),
    forget() {
      gateway.state.orders.length = 0;
      gateway.state.answers.length = 0;
    },
  };
}

function returned(
  gateway: PayPalGateway,
  order: OrderRecord,
  kind: 'refunded' | 'reversed',
  amount: number | null,
): Outcome {
  return giveBack(gateway, order, { kind, amount })?.notice ?? null;
}

function summaryOf(gateway: PayPalGateway, order: OrderRecord): PaymentSummary {
  return {
    id: order.id,
    provider: 'paypal',
    url: isOpen(order) ? approvalUrl(order, gateway.origin) : null,
    status: order.status,
    state: stateOf(order),
    undelivered: gateway.postOffice.undelivered('paypal', order.id).length,
    amount_total: order.amount,
    amount_refunded: order.capture ? refundedOf(order.capture) : 0,
    currency: order.currency.toLowerCase(),
    reference: order.customId,
    customer_email: order.payerEmail,
    created: order.created,
    expires_at: null,
    actions: actionsOf(order),
  };
}

function stateOf(order: OrderRecord): PaymentSummary['state'] {
  const { capture, dispute } = order;
  if (dispute && !dispute.outcome) return { label: 'Disputed', tone: 'warn' };
  if (dispute?.outcome === 'RESOLVED_BUYER_FAVOUR') return { label: 'Dispute lost', tone: 'bad' };
  if (capture?.status === 'PENDING') return { label: 'Pending', tone: 'warn' };
  if (capture?.status === 'DECLINED') return { label: 'Declined', tone: 'bad' };
  if (capture) {
    const left = leftOf(order, capture);
    if (left === order.amount) return { label: 'Captured', tone: 'good' };
    return { label: left > 0 ? 'Partly refunded' : 'Refunded', tone: 'warn' };
  }
  if (order.status === 'APPROVED') return { label: 'Approved', tone: 'warn' };
  if (order.status === 'VOIDED') return { label: 'Expired', tone: 'bad' };
  return order.declined ? { label: 'Declined', tone: 'bad' } : { label: 'Open', tone: '' };
}

function actionsOf(order: OrderRecord): PaymentSummary['actions'] {
  const { capture, dispute } = order;
  if (isOpen(order)) return [{ name: 'expire', label: 'Expire' }];
  if (order.status === 'APPROVED') return [{ name: 'reverse-approval', label: 'Take approval back' }];
  if (capture?.status === 'PENDING') {
    return [
      { name: 'complete-async', label: 'Money arrives' },
      { name: 'fail-async', label: 'Money does not arrive' },
    ];
  }
  if (capture?.status !== 'COMPLETED') return [];
  if (dispute && !dispute.outcome) {
    return [
      { name: 'dispute-won', label: 'Dispute won' },
      { name: 'dispute-lost', label: 'Dispute lost' },
      ...(leftOf(order, capture) > 0 ? [{ name: 'reverse', label: 'Take the money for the dispute' }] : []),
    ];
  }
  if (leftOf(order, capture) <= 0) return [];
  return [
    { name: 'refund', label: 'Refund' },
    ...(dispute ? [] : [{ name: 'dispute', label: 'Dispute' }]),
    { name: 'reverse', label: 'Reverse' },
  ];
}
