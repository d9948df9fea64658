import type { GatewayRequest } from '@/sandbox/http/request';
import { type Derived, type Movement, providerAccount } from '@/sandbox/provider/account';
import { toCaptureObject } from './capture-object';
import { invalidRequest } from './errors';
import type { PayPalGateway } from './gateway';
import { newPayPalId } from './ids';
import { toMinor, toMoney } from './money';
import type { OrderRecord, PayoutItemRecord } from './records';
import { toIso } from './to-iso';

const maxSpanMs = 31 * 24 * 60 * 60 * 1000;

/** Returns the balance of the sandbox's account. */
export const paypalAccount = (gateway: PayPalGateway) =>
  providerAccount({
    record: () => gateway.state.account,
    currency: 'USD',
    newId: {
      movement: newPayPalId.transaction,
      payout: newPayPalId.transaction,
      charge: newPayPalId.transaction,
    },
    derived: () => [
      ...gateway.state.orders.flatMap((order) => listMovements(gateway, order)),
      ...gateway.state.payoutBatches.flatMap(({ items }) => items.flatMap(listPayoutMovements)),
    ],
  });

/**
 * Lists the movements of a payout. One that is claimed or waits for it left the balance; a returned one is credited
 * without its fee.
 */
function listPayoutMovements(item: PayoutItemRecord): Derived[] {
  const { transactionId, returnId, amount, currency, fee } = item;
  if (transactionId === null) return [];
  const sent: Derived = {
    id: transactionId,
    at: null,
    type: 'charge',
    code: 'T0001',
    gross: -amount,
    fee,
    currency,
    source: transactionId,
    paymentId: item.id,
  };
  if (returnId === null) return [sent];
  return [sent, { ...sent, id: returnId, type: 'refund', code: 'T1115', gross: amount, fee: 0 }];
}

function listMovements(gateway: PayPalGateway, order: OrderRecord): Derived[] {
  const { capture, currency } = order;
  if (capture?.status !== 'COMPLETED') return [];
  const of = { currency, paymentId: order.id };
  const breakdown = toCaptureObject(order, capture, gateway.origin).seller_receivable_breakdown;
  const charge: Derived = {
    ...of,
    id: capture.id,
    at: capture.created,
    type: 'charge',
    gross: order.amount,
    fee: toMinor(breakdown.paypal_fee) ?? 0,
    source: capture.id,
  };
  // A refund by eCheck moves money only once it is completed.
  const moved = capture.refunds.filter(({ status }) => status === 'COMPLETED');
  const returned = moved.flatMap((refund): Derived[] => {
    const type = refund.kind === 'refunded' ? 'refund' : 'dispute';
    const claimed: Derived = {
      ...of,
      id: refund.id,
      at: refund.created,
      type,
      gross: -refund.amount,
      fee: 0,
      source: capture.id,
    };
    if (refund.dispute !== 'given_back') return [claimed];
    const back: Derived = {
      ...claimed,
      id: `B${refund.id.slice(1)}`,
      at: null,
      type: 'dispute_reversal',
      gross: refund.givenBack ?? refund.amount,
      source: refund.id,
    };
    return [claimed, back];
  });
  return [charge, ...returned];
}

/** The event code of each movement. https://developer.paypal.com/docs/transaction-search/transaction-event-codes/ */
const codes = {
  charge: 'T0006',
  refund: 'T1107',
  refund_failure: 'T1100',
  dispute: 'T1106',
  dispute_reversal: 'T1202',
  fee: 'T0100',
  payout: 'T0400',
  payout_failure: 'T1101',
} satisfies Record<Movement['type'], string>;

/** Answers GET /v1/reporting/transactions, oldest first. @throws PayPalError 400 */
export function listTransactions(gateway: PayPalGateway, { url }: GatewayRequest) {
  const query = url.searchParams;
  const [from, until] = [parseTime(query, 'start_date'), parseTime(query, 'end_date')];
  if (until - from > maxSpanMs) throw invalidRequest('/end_date', 'INVALID_DATE_RANGE', 'The range exceeds 31 days.');
  const [size, page] = [Number(query.get('page_size') ?? '100'), Number(query.get('page') ?? '1')];
  if (!(size >= 1 && size <= 500))
    throw invalidRequest('/page_size', 'INVALID_PARAMETER_VALUE', 'The value must be 1 to 500.');
  const settled = paypalAccount(gateway)
    .movements()
    .map((movement) => ({ at: movement.at, info: toInfo(gateway, movement) }));
  const all = [...settled, ...pending(gateway)]
    .filter(({ at }) => at * 1000 >= from && at * 1000 <= until)
    .sort((one, other) => one.at - other.at);
  const shown = all.slice((page - 1) * size, page * size);
  return {
    // PayPal's schema requires at least one item.
    ...(shown.length > 0 && { transaction_details: shown.map(({ info }) => ({ transaction_info: info })) }),
    account_number: 'SANDBOXACCOUNT',
    start_date: toIso(Math.floor(from / 1000)),
    end_date: toIso(Math.floor(until / 1000)),
    last_refreshed_datetime: toIso(Math.floor(Date.now() / 1000)),
    page,
    total_items: all.length,
    total_pages: Math.max(1, Math.ceil(all.length / size)),
    links: [{ href: url.href, rel: 'self', method: 'GET' }],
  };
}

function toInfo(gateway: PayPalGateway, movement: Movement) {
  const { id, type, source, currency } = movement;
  const order = gateway.state.orders.find((one) => one.id === movement.paymentId);
  const isFee = type === 'fee';
  return {
    transaction_id: id,
    ...(source !== '' && source !== id && { paypal_reference_id: getReference(gateway, movement) }),
    ...(source !== '' && source !== id && { paypal_reference_id_type: 'TXN' }),
    transaction_event_code: movement.code ?? codes[type],
    transaction_initiation_date: toIso(movement.at),
    transaction_updated_date: toIso(movement.at),
    transaction_amount: toMoney(isFee ? -movement.fee : movement.gross, currency),
    ...(!isFee && movement.fee !== 0 && { fee_amount: toMoney(-movement.fee, currency) }),
    transaction_status: 'S',
    ...(order?.customId && { custom_field: order.customId }),
    protection_eligibility: '01',
  };
}

/** Returns the referenced transaction; a returned withdrawal references the withdrawal's transaction. */
function getReference(gateway: PayPalGateway, { type, source }: Movement): string {
  if (type !== 'payout_failure') return source;
  return gateway.state.account.own.find((one) => one.type === 'payout' && one.source === source)?.id ?? source;
}

/** Captures under review: listed, but not yet in the balance. */
function pending(gateway: PayPalGateway) {
  return gateway.state.orders.flatMap((order) => {
    if (order.capture?.status !== 'PENDING') return [];
    const { id, created } = order.capture;
    const info = {
      transaction_id: id,
      transaction_event_code: codes.charge,
      transaction_initiation_date: toIso(created),
      transaction_updated_date: toIso(created),
      transaction_amount: toMoney(order.amount, order.currency),
      transaction_status: 'P',
      ...(order.customId !== null && { custom_field: order.customId }),
    };
    return [{ at: created, info }];
  });
}

/** @returns Unix milliseconds @throws PayPalError 400 */
function parseTime(query: URLSearchParams, name: string): number {
  const at = Date.parse(query.get(name) ?? '');
  if (Number.isNaN(at))
    throw invalidRequest(`/${name}`, 'INVALID_DATE_FORMAT', 'The value is not an Internet date and time.');
  return at;
}
