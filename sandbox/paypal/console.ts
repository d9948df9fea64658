import { z } from 'zod';
import { parseAmount, parseForce } from '@/sandbox/provider/action-fields';
import type { PaymentSummary, ProviderConsole } from '@/sandbox/provider/console';
import { combineEvents, type Outcome } from '@/sandbox/provider/send-event';
import { paypalAccount } from './account';
import type { PayPalGateway } from './gateway';
import { approvalUrl } from './order-object';
import { approve, decideCapture, isOpen, reverseApproval, voidIfDue, voidOrder } from './outcomes';
import { payoutActions, toPayoutSummary } from './payout-console';
import { type CaptureOutcome, captureOutcomes, disputeOutcomes, type OrderRecord, refundStatuses } from './records';
import { sumRefunds } from './refunded';
import { closeDispute, createRefund, decideRefund, getRemaining, openDispute, reviewDispute } from './reversals';

const approval = z.object({
  capture: z.enum(captureOutcomes).default('completed'),
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

/** Parses the outcome of the capture. A given `issue` refuses it regardless of `capture`. */
function parseCaptureOutcome(fields: unknown): CaptureOutcome {
  const { capture, ...refusal } = approval.parse(fields);
  const isRefused = capture === 'refused' || (typeof fields === 'object' && fields !== null && 'issue' in fields);
  if (isRefused) return { status: 'refused', ...refusal };
  return { status: capture };
}

/** Returns PayPal's orders for the controls and the gateway's pages. */
export function paypalConsole(gateway: PayPalGateway): ProviderConsole {
  const on = (run: (order: OrderRecord, fields: unknown) => Outcome) => (id: string, fields: unknown) =>
    run(gateway.order(id), fields);
  const account = paypalAccount(gateway);
  return {
    gateway,
    payments: () => [
      ...gateway.state.orders.map((order) => toSummary(gateway, order)),
      ...gateway.state.payoutBatches.flatMap((batch) =>
        batch.items.map((item) => toPayoutSummary(gateway, batch, item)),
      ),
    ],
    payment(id) {
      const found = gateway.state.payoutBatches.find(({ items }) => items.some((item) => item.id === id));
      const item = found?.items.find((one) => one.id === id);
      return found && item ? toPayoutSummary(gateway, found, item) : toSummary(gateway, gateway.order(id));
    },
    actions: {
      approve: on((order, fields) => approve(gateway, order, parseCaptureOutcome(fields), parseForce(fields))),
      fail: on((order) => approve(gateway, order, parseCaptureOutcome({ capture: 'refused' }))),
      'complete-async': on((order) => decideCapture(gateway, order, true)),
      'fail-async': on((order) => decideCapture(gateway, order, false)),
      expire: on((order) => (voidOrder(order) ? combineEvents() : null)),
      'reverse-approval': on((order) => reverseApproval(gateway, order)),
      refund: on(
        (order, fields) =>
          createRefund(gateway, order, { kind: 'refunded', amount: parseAmount(fields), ...refund.parse(fields) })
            ?.notice ?? null,
      ),
      'refund-complete': on((order) => decideRefund(gateway, order, 'COMPLETED')),
      'refund-fail': on((order) => decideRefund(gateway, order, 'FAILED')),
      'refund-cancel': on((order) => decideRefund(gateway, order, 'CANCELLED')),
      reverse: on((order) => createRefund(gateway, order, { kind: 'reversed', amount: null })?.notice ?? null),
      dispute: on((order) => openDispute(gateway, order)),
      'dispute-review': on((order) => reviewDispute(gateway, order)),
      'dispute-won': on((order, fields) =>
        closeDispute(gateway, order, { isWon: true, ...won.parse(fields), amount: parseAmount(fields) }),
      ),
      'dispute-lost': on((order, fields) => closeDispute(gateway, order, { isWon: false, ...lost.parse(fields) })),
      ...payoutActions(gateway),
    },
    account,
    expireDue: () => gateway.state.orders.map(voidIfDue).some(Boolean),
    forget() {
      gateway.state.orders.length = 0;
      gateway.state.payoutBatches.length = 0;
      gateway.state.answers.length = 0;
      account.forget();
    },
  };
}

function toSummary(gateway: PayPalGateway, order: OrderRecord): PaymentSummary {
  return {
    id: order.id,
    provider: 'paypal',
    url: isOpen(order) ? approvalUrl(order, gateway.origin) : null,
    status: order.status,
    state: getState(order),
    undelivered: gateway.webhookQueue.undelivered('paypal', order.id).length,
    amount_total: order.amount,
    amount_refunded: order.capture ? sumRefunds(order.capture) : 0,
    refused_captures: order.attempts,
    currency: order.currency.toLowerCase(),
    reference: order.customId,
    customer_email: order.payerEmail,
    created: order.created,
    expires_at: null,
    actions: listActions(order),
  };
}

function getState(order: OrderRecord): PaymentSummary['state'] {
  const { capture, dispute } = order;
  if (dispute && !dispute.outcome) return { label: 'Disputed', tone: 'warn' };
  if (dispute?.outcome === 'RESOLVED_BUYER_FAVOUR' || dispute?.outcome === 'ACCEPTED')
    return { label: 'Dispute lost', tone: 'bad' };
  if (capture?.status === 'PENDING') return { label: 'Pending', tone: 'warn' };
  if (capture?.status === 'DECLINED') return { label: 'Declined', tone: 'bad' };
  if (capture) {
    const left = getRemaining(order, capture);
    if (left === order.amount) return { label: 'Captured', tone: 'good' };
    return { label: left > 0 ? 'Partly refunded' : 'Refunded', tone: 'warn' };
  }
  if (order.status === 'APPROVED') return { label: 'Approved', tone: 'warn' };
  if (order.status === 'VOIDED') return { label: 'Expired', tone: 'bad' };
  return order.declined ? { label: 'Declined', tone: 'bad' } : { label: 'Open', tone: '' };
}

function listActions(order: OrderRecord): PaymentSummary['actions'] {
  const { capture, dispute } = order;
  if (isOpen(order)) return [{ name: 'expire', label: 'Expire' }];
  if (order.status === 'APPROVED') return [{ name: 'reverse-approval', label: 'Withdraw approval' }];
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
      ...(getRemaining(order, capture) > 0 ? [{ name: 'reverse', label: 'Withhold the money for the dispute' }] : []),
    ];
  }
  if (capture.refunds.some(({ status }) => status === 'PENDING')) {
    return [
      { name: 'refund-complete', label: 'Refund arrives' },
      { name: 'refund-fail', label: 'Refund fails' },
      { name: 'refund-cancel', label: 'Refund is canceled' },
    ];
  }
  if (getRemaining(order, capture) <= 0) return [];
  return [
    { name: 'refund', label: 'Refund' },
    ...(dispute ? [] : [{ name: 'dispute', label: 'Dispute' }]),
    { name: 'reverse', label: 'Reverse' },
  ];
}
