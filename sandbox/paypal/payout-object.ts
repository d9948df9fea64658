import { invalidRequest, type Link } from './errors';
import type { PayPalGateway } from './gateway';
import { type Alteration, toMoney } from './money';
import type { PayoutBatchRecord, PayoutItemRecord, PayoutStatus } from './records';
import { toIso } from './to-iso';

/** Returns the `currency` object of the Payouts API, which is older than `money`. */
function toCurrency(amountMinor: number, currency: string): { currency: string; value: string } {
  return { currency, value: toMoney(amountMinor, currency).value };
}

export const payoutLinks = ({ id }: PayoutBatchRecord, origin: string): Link[] => [
  { href: `${origin}/v1/payments/payouts/${id}`, rel: 'self', method: 'GET' },
];

/** Returns a batch as PayPal answers its creation: without amounts. */
export const toCreatedHeader = ({ id, senderBatchId, subject, status }: PayoutBatchRecord) => ({
  payout_batch_id: id,
  batch_status: status,
  sender_batch_header: {
    sender_batch_id: senderBatchId,
    ...(subject !== null && { email_subject: subject }),
  },
});

/** Returns the header of a batch. */
export function toPayoutHeader(batch: PayoutBatchRecord) {
  const { items, created, status } = batch;
  const currency = items[0]?.currency ?? 'USD';
  const sum = (pick: (item: PayoutItemRecord) => number) => items.reduce((total, item) => total + pick(item), 0);
  return {
    ...toCreatedHeader(batch),
    time_created: toIso(created),
    ...(status === 'SUCCESS' && { time_completed: toIso(Math.max(...items.map(({ updated }) => updated))) }),
    funding_source: 'BALANCE',
    amount: toCurrency(
      sum(({ amount }) => amount),
      currency,
    ),
    fees: toCurrency(
      sum(({ fee }) => fee),
      currency,
    ),
  };
}

const errors: Readonly<Partial<Record<PayoutStatus, { name: string; message: string }>>> = {
  UNCLAIMED: {
    name: 'RECEIVER_UNREGISTERED',
    message: 'Receiver is unregistered',
  },
  FAILED: { name: 'RECEIVER_ACCOUNT_LOCKED', message: 'Receiver is unable to receive a payment' },
  BLOCKED: { name: 'RISK_DECLINE', message: 'The transaction was declined due to risk' },
};

/** Returns an item as its own response and event have it. In the list of a batch it is without `sender_batch_id`. */
export function toPayoutItem(
  batch: PayoutBatchRecord,
  item: PayoutItemRecord,
  origin: string,
  altered: Alteration = {},
) {
  return { ...toListedItem(batch, item, origin, altered), sender_batch_id: batch.senderBatchId };
}

function toListedItem(batch: PayoutBatchRecord, item: PayoutItemRecord, origin: string, altered: Alteration) {
  const { id, status, transactionId, returnId, senderItemId, note } = item;
  const currency = altered.currency ?? item.currency;
  const error = errors[status];
  return {
    payout_item_id: id,
    ...(transactionId !== null && { transaction_id: returnId ?? transactionId }),
    transaction_status: status,
    payout_item_fee: toCurrency(status === 'PENDING' ? 0 : item.fee, item.currency),
    payout_batch_id: batch.id,
    payout_item: {
      recipient_type: 'EMAIL',
      amount: toCurrency(altered.amount ?? item.amount, currency),
      ...(note !== null && { note }),
      receiver: item.receiver,
      ...(senderItemId !== null && { sender_item_id: senderItemId }),
      recipient_wallet: 'PAYPAL',
    },
    time_processed: toIso(item.updated),
    ...(error && { errors: { ...error, debug_id: id.toLowerCase(), details: [], links: [] } }),
    links: [{ href: `${origin}/v1/payments/payouts-item/${id}`, rel: 'item', method: 'GET' }],
  };
}

/** Answers GET /v1/payments/payouts/{id}: the header and a page of the items. @throws PayPalError 400 */
export function toPayoutPage(batch: PayoutBatchRecord, url: URL, gateway: PayPalGateway) {
  const { origin } = gateway;
  const query = url.searchParams;
  const [size, page] = [Number(query.get('page_size') ?? '1000'), Number(query.get('page') ?? '1')];
  const isRange = (value: number) => Number.isInteger(value) && value >= 1 && value <= 1000;
  if (!isRange(size) || !isRange(page))
    throw invalidRequest('/page_size', 'INVALID_PARAMETER_VALUE', 'The value must be 1 to 1000.');
  const shown = batch.items.slice((page - 1) * size, page * size);
  return {
    ...(query.get('total_required') === 'true' && {
      total_items: batch.items.length,
      total_pages: Math.max(1, Math.ceil(batch.items.length / size)),
    }),
    batch_header: toPayoutHeader(batch),
    items: shown.map((item) => toListedItem(batch, item, origin, gateway.apiAlteration())),
    links: payoutLinks(batch, origin),
  };
}
