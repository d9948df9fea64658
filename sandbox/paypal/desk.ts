import { z } from 'zod';
import { amountOf, forceOf } from '../provider/action-fields';
import { type Outcome, together } from '../provider/announce';
import type { PaymentSummary, ProviderDesk } from '../provider/desk';
import { paypalAccount } from './account';
import type { PayPalGateway } from './gateway';
import { approvalUrl } from './order-object';
import { approve, decideCapture, isOpen, reverseApproval, voidIfDue, voidOrder } from './outcomes';
import { type CaptureFate, captureFates, disputeOutcomes, type OrderRecord, refundStatuses } from './records';
import { refundedOf } from './refunded';
import { closeDispute, decideRefund, giveBack, leftOf, openDispute, reviewDispute } from './reversals';

const approval = z.object({
  capture: z.enum(captureFates).default('completed'),
  issue: z
    .string()
    .regex(/^[A-Z_]{1,100}$/)
    .default('INSTRUMENT_DECLINED'),
  keepsApproval: z.union([z.boolean(), z.stringbool()]).default(false),
  times: z.coerce.number().int().min(1).nullable().default(null),
});
const refund = z.object({ status: z.enum(refundStatuses).default('COMPLETED') });
const won = z.object({ outcome: z.enum(disputeOutcomes).default('RESOLVED_SELLER_FAVOUR') });
const lost = z.object({ outcome: z.enum(disputeOutcomes).default('RESOLVED_BUYER_FAVOUR') });

/** `issue` lets the capture be refused with it, whatever `capture` says. */
function fateOf(fields: unknown): CaptureFate {
  const { capture, ...refusal } = approval.parse(fields);
  const isRefused = capture === 'refused' || (typeof fields === 'object' && fields !== null && 'issue' in fields);
  if (isRefused) return { status: 'refused', ...refusal };
  return { status: capture };
}

/** PayPal's orders as the controls and the gateway's pages see them. */
export function paypalDesk(gateway: PayPalGateway): ProviderDesk {
  const on = (run: (order: OrderRecord, fields: unknown) => Outcome) => (id: string, fields: unknown) =>
    run(gateway.order(id), fields);
  const account = paypalAccount(gateway);
  return {
    gateway,
    payments: () => gateway.state.orders.map((order) => summaryOf(gateway, order)),
    payment: (id) => summaryOf(gateway, gateway.order(id)),
    actions: {
      approve: on((order, fields) => approve(gateway, order, fateOf(fields), forceOf(fields))),
      fail: on((order) => approve(gateway, order, fateOf({ capture: 'refused' }))),
      'complete-async': on((order) => decideCapture(gateway, order, true)),
      'fail-async': on((order) => decideCapture(gateway, order, false)),
      expire: on((order) => (voidOrder(order) ? together() : null)),
      'reverse-approval': on((order) => reverseApproval(gateway, order)),
      refund: on(
        (order, fields) =>
          giveBack(gateway, order, { kind: 'refunded', amount: amountOf(fields), ...refund.parse(fields) })?.notice ??
          null,
      ),
      'refund-complete': on((order) => decideRefund(gateway, order, 'COMPLETED')),
      'refund-fail': on((order) => decideRefund(gateway, order, 'FAILED')),
      'refund-cancel': on((order) => decideRefund(gateway, order, 'CANCELLED')),
      reverse: on((order) => giveBack(gateway, order, { kind: 'reversed', amount: null })?.notice ?? null),
      dispute: on((order) => openDispute(gateway, order)),
      'dispute-review': on((order) => reviewDispute(gateway, order)),
      'dispute-won': on((order, fields) =>
        closeDispute(gateway, order, { isWon: true, ...won.parse(fields), amount: amountOf(fields) }),
      ),
      'dispute-lost': on((order, fields) => closeDispute(gateway, order, { isWon: false, ...lost.parse(fields) })),
    },
    account,
    expireDue: () => gateway.state.orders.map(voidIfDue).some(Boolean),
    forget() {
      gateway.state.orders.length = 0;
      gateway.state.answers.length = 0;
      account.forget();
    },
  };
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
    refused_captures: order.attempts,
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
  if (dispute?.outcome === 'RESOLVED_BUYER_FAVOUR' || dispute?.outcome === 'ACCEPTED')
    return { label: 'Dispute lost', tone: 'bad' };
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
      ...(dispute.isUnderReview ? [] : [{ name: 'dispute-review', label: 'Review the dispute' }]),
      { name: 'dispute-won', label: 'Dispute won' },
      { name: 'dispute-lost', label: 'Dispute lost' },
      ...(leftOf(order, capture) > 0 ? [{ name: 'reverse', label: 'Take the money for the dispute' }] : []),
    ];
  }
  if (capture.refunds.some(({ status }) => status === 'PENDING')) {
    return [
      { name: 'refund-complete', label: 'Refund arrives' },
      { name: 'refund-fail', label: 'Refund fails' },
      { name: 'refund-cancel', label: 'Refund is canceled' },
    ];
  }
  if (leftOf(order, capture) <= 0) return [];
  return [
    { name: 'refund', label: 'Refund' },
    ...(dispute ? [] : [{ name: 'dispute', label: 'Dispute' }]),
    { name: 'reverse', label: 'Reverse' },
  ];
}
