import type { Link } from './errors';
import type { PayPalGateway } from './gateway';
import { type Alteration, toMoney } from './money';
import type { DisputeRecord, OrderRecord } from './records';
import { toIso } from './to-iso';

const responseDays = 10;

/** Outcomes that refund the buyer. */
const refunding = new Set(['RESOLVED_BUYER_FAVOUR', 'RESOLVED_WITH_PAYOUT', 'ACCEPTED']);

/** Returns a dispute in PayPal's responses. */
export function toDisputeObject(order: OrderRecord, dispute: DisputeRecord, origin: string, altered: Alteration = {}) {
  const amount = toMoney(altered.amount ?? dispute.amount, altered.currency ?? order.currency);
  const movements = listMovements(order);
  return {
    dispute_id: dispute.id,
    create_time: toIso(dispute.created),
    update_time: toIso(order.updated),
    disputed_transactions: [
      {
        ...(order.capture && { seller_transaction_id: order.capture.id }),
        create_time: toIso(order.capture?.created ?? order.created),
        transaction_status: 'COMPLETED',
        gross_amount: toMoney(order.amount, order.currency),
        ...(order.customId !== null && { custom: order.customId }),
        buyer: { name: 'Sandbox Buyer' },
      },
    ],
    reason: 'UNAUTHORISED',
    ...(!dispute.outcome && { seller_response_due_date: toIso(dispute.created + responseDays * 24 * 60 * 60) }),
    status: dispute.outcome ? 'RESOLVED' : dispute.isUnderReview ? 'UNDER_REVIEW' : 'OPEN',
    dispute_amount: amount,
    ...(dispute.outcome && {
      dispute_outcome: {
        outcome_code: dispute.outcome,
        amount_refunded: refunding.has(dispute.outcome) ? amount : toMoney(0, order.currency),
      },
    }),
    ...(dispute.outcome === null && dispute.isUnderReview && { dispute_outcome: { outcome_code: 'NONE' } }),
    ...(movements.length > 0 && { fund_movements: movements }),
    dispute_life_cycle_stage: 'CHARGEBACK',
    dispute_channel: 'INTERNAL',
    links: [{ href: `${origin}/v1/customer/disputes/${dispute.id}`, rel: 'self', method: 'GET' }] satisfies Link[],
  };
}

const inSummary = [
  ...['dispute_id', 'create_time', 'update_time', 'reason', 'status', 'dispute_amount'],
  ...['dispute_life_cycle_stage', 'dispute_channel', 'links'],
];

/** Answers GET /v1/customer/disputes: a summary of each, newest first. */
export function listDisputes({ state, origin }: PayPalGateway, params: URLSearchParams) {
  const all = state.orders.flatMap((order) => (order.dispute ? [toDisputeObject(order, order.dispute, origin)] : []));
  const items = all.reverse().slice(0, Number(params.get('page_size') ?? '10'));
  return {
    ...(items.length > 0 && {
      items: items.map((one) => Object.fromEntries(Object.entries(one).filter(([name]) => inSummary.includes(name)))),
    }),
    links: [{ href: `${origin}/v1/customer/disputes?${params}`, rel: 'self', method: 'GET' }] satisfies Link[],
  };
}

/** Lists the withdrawals and credits of the seller for the dispute. */
function listMovements(order: OrderRecord) {
  const claimed = (order.capture?.refunds ?? []).filter(({ dispute }) => dispute !== undefined);
  return claimed.flatMap(({ amount, created, dispute, givenBack = amount }) => {
    const movement = (type: 'DEBIT' | 'CREDIT', at: number) => ({
      party: 'SELLER',
      amount: toMoney(type === 'DEBIT' ? amount : givenBack, order.currency),
      initiated_time: toIso(at),
      type,
      reason: 'DISPUTE_SETTLEMENT',
    });
    const debit = movement('DEBIT', created);
    return dispute === 'given_back' ? [debit, movement('CREDIT', order.updated)] : [debit];
  });
}
