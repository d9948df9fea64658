import type Stripe from 'stripe';
import type { GatewayRequest } from '@/sandbox/http/request';
import { type Derived, type Movement, providerAccount } from '@/sandbox/provider/account';
import { letters, randomText } from '@/sandbox/provider/random-text';
import { toChargeObject } from './charge-object';
import { toDisputeObject } from './dispute-object';
import { invalidParam } from './errors';
import type { StripeGateway } from './gateway';
import { newStripeId } from './ids';
import type { IntentRecord } from './records';
import { toRefundObject } from './refund-object';

const id = (prefix: string) => `${prefix}_1${randomText(23, letters)}`;
/** Returns the fee for cards in the United States: 2.9 % and 30 cents. */
const computeFee = (amount: number) => Math.min(amount, Math.round(amount * 0.029) + 30);
const disputeFee = 1_500;
const secondsUntilAvailable = 2 * 24 * 60 * 60;

/** Returns the balance of the sandbox's account. */
export const stripeAccount = (gateway: StripeGateway) =>
  providerAccount({
    record: () => gateway.state.account,
    currency: 'USD',
    newId: { movement: () => id('txn'), payout: () => id('po'), charge: () => newStripeId.charge() },
    derived: () => gateway.state.intents.flatMap((intent) => listMovements(gateway, intent)),
  });

function listMovements(gateway: StripeGateway, intent: IntentRecord): Derived[] {
  const { chargeId, dispute } = intent;
  if (intent.status !== 'succeeded' || chargeId === null) return [];
  const session = gateway.session(intent.sessionId);
  const of = { currency: session.currency.toUpperCase(), paymentId: intent.id };
  const charge: Derived = {
    ...of,
    id: `txn_${chargeId.slice(3)}`,
    at: intent.created,
    type: 'charge',
    gross: session.amountTotal,
    fee: computeFee(session.amountTotal),
    source: chargeId,
  };
  const refunds = intent.refunds.flatMap((refund): Derived[] => {
    const common = { ...of, fee: 0, source: refund.id };
    const input: Derived = {
      ...common,
      id: `txn_${refund.id.slice(3)}`,
      at: refund.created,
      type: 'refund',
      gross: -refund.amount,
    };
    if (refund.status === 'succeeded' || refund.status === 'pending') return [input];
    return [
      input,
      { ...common, id: `txn_f${refund.id.slice(4)}`, at: null, type: 'refund_failure', gross: refund.amount },
    ];
  });
  if (!dispute) return [charge, ...refunds];
  const disputed = { ...of, source: dispute.id };
  const withdrawn: Derived = {
    ...disputed,
    id: `txn_1${dispute.id.slice(4)}`,
    at: dispute.created,
    type: 'dispute',
    gross: -dispute.amount,
    fee: disputeFee,
  };
  const reinstated: Derived = {
    ...disputed,
    id: `txn_3${dispute.id.slice(4)}`,
    at: null,
    type: 'dispute_reversal',
    gross: dispute.amount,
    fee: 0,
  };
  return [charge, ...refunds, withdrawn, ...(dispute.status === 'won' ? [reinstated] : [])];
}

/** Answers GET /v1/balance_transactions: newest first. @throws StripeError 400 for an unknown parameter */
export function listBalanceTransactions(
  gateway: StripeGateway,
  { url }: GatewayRequest,
): Stripe.ApiList<Stripe.BalanceTransaction> {
  const known = new Set(['limit', 'created[gte]', 'created[lte]', 'starting_after', 'expand[0]']);
  const unknown = [...url.searchParams.keys()].find((name) => !known.has(name));
  if (unknown !== undefined) throw invalidParam(`The sandbox does not support ${unknown}`, unknown);
  const number = (name: string, otherwise: number) => Number(url.searchParams.get(name) ?? otherwise);
  const limit = number('limit', 10);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) throw invalidParam('limit must be 1 to 100', 'limit');
  const [from, until] = [number('created[gte]', 0), number('created[lte]', Number.MAX_SAFE_INTEGER)];
  const all = stripeAccount(gateway)
    .movements()
    .filter(({ at }) => at >= from && at <= until)
    .reverse();
  const after = url.searchParams.get('starting_after');
  const start = after === null ? 0 : all.findIndex((movement) => movement.id === after) + 1;
  if (after !== null && start === 0) throw invalidParam(`No such balance transaction: '${after}'`, 'starting_after');
  const isExpanded = url.searchParams.get('expand[0]') === 'data.source';
  const page = all.slice(start, start + limit);
  return {
    object: 'list',
    data: page.map((movement) => toBalanceTransaction(gateway, movement, isExpanded)),
    has_more: start + limit < all.length,
    url: '/v1/balance_transactions',
  };
}

/** Answers GET /v1/payouts: newest first. */
export function listPayouts(gateway: StripeGateway, params: URLSearchParams): Stripe.ApiList<Stripe.Payout> {
  const payouts = stripeAccount(gateway)
    .movements()
    .filter(({ type }) => type === 'payout');
  return firstPage(payouts.map(toPayoutObject), params, '/v1/payouts');
}

/**
 * Returns the first page, newest first.
 * @param all oldest first
 * @throws StripeError 400 for an unknown parameter
 */
export function firstPage<One>(all: readonly One[], params: URLSearchParams, url: string): Stripe.ApiList<One> {
  const unknown = [...params.keys()].find((name) => name !== 'limit');
  if (unknown !== undefined) throw invalidParam(`The sandbox does not support ${unknown}`, unknown);
  const limit = Number(params.get('limit') ?? '10');
  return { object: 'list', data: [...all].reverse().slice(0, limit), has_more: all.length > limit, url };
}

const types: Readonly<Record<Movement['type'], [type: Stripe.BalanceTransaction.Type, category: string]>> = {
  charge: ['charge', 'charge'],
  refund: ['refund', 'refund'],
  refund_failure: ['refund_failure', 'refund_failure'],
  dispute: ['adjustment', 'dispute'],
  dispute_reversal: ['adjustment', 'dispute_reversal'],
  fee: ['stripe_fee', 'fee'],
  payout: ['payout', 'payout'],
  payout_failure: ['payout_failure', 'payout_reversal'],
};

function toBalanceTransaction(
  gateway: StripeGateway,
  movement: Movement,
  isExpanded: boolean,
): Stripe.BalanceTransaction {
  const [type, category] = types[movement.type];
  const isFee = movement.type === 'fee';
  const currency = movement.currency.toLowerCase();
  const amount = isFee ? -movement.fee : movement.gross;
  const fee = isFee ? 0 : movement.fee;
  const isIncoming = movement.type === 'charge';
  return {
    id: movement.id,
    object: 'balance_transaction',
    amount,
    available_on: movement.at + (isIncoming ? secondsUntilAvailable : 0),
    balance_type: 'payments',
    created: movement.at,
    currency,
    description: null,
    exchange_rate: null,
    fee,
    fee_details:
      fee > 0
        ? [{ amount: fee, application: null, currency, description: 'Stripe processing fees', type: 'stripe_fee' }]
        : [],
    net: amount - fee,
    reporting_category: category,
    source: movement.source === '' ? null : isExpanded ? getSource(gateway, movement) : movement.source,
    status: 'available',
    type,
  } satisfies Stripe.BalanceTransaction;
}

function getSource(gateway: StripeGateway, movement: Movement): Stripe.BalanceTransactionSource | string {
  if (movement.type === 'payout' || movement.type === 'payout_failure') return toPayoutObject(movement);
  if (movement.paymentId === null) return createForeignCharge(movement);
  const intent = gateway.intent(movement.paymentId);
  const session = gateway.session(intent.sessionId);
  if (movement.type === 'charge') return toChargeObject(intent, session);
  if (intent.dispute?.id === movement.source) return toDisputeObject(intent.dispute, intent, session);
  const { refund } = gateway.refund(movement.source);
  return toRefundObject(refund, intent, session);
}

/** Returns a charge without our metadata, like one of another shop on the same account. */
function createForeignCharge(movement: Movement): Stripe.Charge {
  const intent: IntentRecord = {
    id: `pi_3${movement.source.slice(4)}`,
    sessionId: '',
    created: movement.at,
    status: 'succeeded',
    chargeId: movement.source,
    declined: false,
    refunds: [],
    dispute: null,
  };
  return toChargeObject(intent, {
    id: '',
    created: movement.at,
    expiresAt: movement.at,
    status: 'complete',
    paymentStatus: 'paid',
    amountTotal: movement.gross,
    currency: movement.currency.toLowerCase(),
    items: [],
    successUrl: '',
    cancelUrl: null,
    clientReferenceId: null,
    customerEmail: null,
    adaptivePricing: false,
    metadata: {},
    intentMetadata: { order: 'of another shop' },
    intentDescription: null,
    intentId: intent.id,
    apiVersion: '',
  });
}

function toPayoutObject(movement: Movement): Stripe.Payout {
  const isFailed = movement.type === 'payout_failure';
  return {
    id: movement.source,
    object: 'payout',
    amount: Math.abs(movement.gross),
    application_fee: null,
    application_fee_amount: null,
    arrival_date: movement.at,
    automatic: false,
    balance_transaction: movement.id,
    created: movement.at,
    currency: movement.currency.toLowerCase(),
    description: 'STRIPE PAYOUT',
    destination: null,
    failure_balance_transaction: isFailed ? movement.id : null,
    failure_code: isFailed ? 'account_closed' : null,
    failure_message: isFailed ? 'The bank account has been closed.' : null,
    livemode: false,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'not_applicable',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: isFailed ? 'failed' : 'paid',
    trace_id: null,
    type: 'bank_account',
  } satisfies Stripe.Payout;
}
