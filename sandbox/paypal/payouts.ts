import { z } from 'zod';
import { combineEvents, type Outcome, type SentEvents } from '@/sandbox/provider/send-event';
import { paypalAccount } from './account';
import { parseJson } from './create-order';
import { PayPalError } from './errors';
import type { PayPalGateway } from './gateway';
import { newPayPalId } from './ids';
import { currencies, toMinor } from './money';
import { notifyPayout, notifyPayoutBatch } from './notify';
import { payoutLinks, toCreatedHeader } from './payout-object';
import type { PayoutBatchRecord, PayoutItemRecord, PayoutStatus } from './records';

const itemFields = z.strictObject({
  recipient_type: z.enum(['EMAIL', 'PAYPAL_ID']).optional(),
  amount: z.strictObject({ currency: z.enum(currencies), value: z.string() }),
  note: z.string().max(4_000).optional(),
  receiver: z.string().min(1).max(127),
  sender_item_id: z.string().max(63).optional(),
});
const requestFields = z.strictObject({
  sender_batch_header: z.strictObject({
    sender_batch_id: z.string().min(1).max(256),
    recipient_type: z.enum(['EMAIL', 'PAYPAL_ID']).optional(),
    email_subject: z.string().max(255).optional(),
    email_message: z.string().max(1_000).optional(),
    note: z.string().max(1_000).optional(),
  }),
  items: z.array(itemFields).min(1).max(15_000),
});

/** Computes the fee: 2 %, at least 0.01 and at most 1.00 */
const toFee = (amount: number) => Math.min(100, Math.max(1, Math.round(amount * 0.02)));

/**
 * Answers POST /v1/payments/payouts: one batch for each `sender_batch_id`. Its payouts are processed later.
 * @throws PayPalError 400 for an invalid request and for a known `sender_batch_id`, with a link to its batch; 422 when
 * the balance is too low
 */
export function createPayoutBatch(gateway: PayPalGateway, body: string) {
  const parsed = requestFields.safeParse(parseJson(body));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw validationError([{ field: toField(issue?.path ?? []), issue: issue?.message ?? 'is not valid' }]);
  }
  const { sender_batch_header: header, items } = parsed.data;
  const known = gateway.state.payoutBatches.find(({ senderBatchId }) => senderBatchId === header.sender_batch_id);
  if (known) throw duplicateBatch(known, gateway.origin);
  const invalid = items.flatMap((item, index) => listIssues(item, header.recipient_type, index));
  if (invalid.length > 0) throw validationError(invalid);
  const batch: PayoutBatchRecord = {
    id: newPayPalId.payout(),
    senderBatchId: header.sender_batch_id,
    subject: header.email_subject ?? null,
    created: now(),
    status: 'PENDING',
    fate: gateway.controls.payoutFate,
    items: items.map(toItem),
  };
  requireFunds(gateway, batch);
  gateway.state.payoutBatches.push(batch);
  return { batch_header: toCreatedHeader(batch), links: payoutLinks(batch, gateway.origin) };
}

type Item = z.output<typeof itemFields>;
type Issue = { field: string; issue: string };

/** Returns a field as the real API names it: `items[3].receiver`. */
const toField = (path: readonly PropertyKey[]): string =>
  path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');

const amountOf = ({ amount: { currency, value } }: Item) => toMinor({ currency_code: currency, value });
/** RFC 5321, 4.5.3.1.1 */
const maxLocalPart = 64;

function listIssues(item: Item, commonType: string | undefined, index: number): Issue[] {
  const issues: Issue[] = [];
  const add = (name: string, issue: string) => issues.push({ field: toField(['items', index, name]), issue });
  if ((amountOf(item) ?? 0) <= 0) add('amount', 'The amount must be above zero');
  const type = item.recipient_type ?? commonType;
  const isAddress = z.email().safeParse(item.receiver).success && item.receiver.indexOf('@') <= maxLocalPart;
  if (!type) add('recipient_type', 'may not be null');
  if (type === 'EMAIL' && !isAddress) add('receiver', 'Receiver is invalid or does not match with type');
  return issues;
}

function toItem(item: Item): PayoutItemRecord {
  const amount = amountOf(item) ?? 0;
  return {
    id: newPayPalId.payout(),
    senderItemId: item.sender_item_id ?? null,
    receiver: item.receiver,
    note: item.note ?? null,
    amount,
    currency: item.amount.currency,
    fee: toFee(amount),
    status: 'PENDING',
    updated: now(),
    transactionId: null,
    returnId: null,
  };
}

function requireFunds(gateway: PayPalGateway, { items }: PayoutBatchRecord): void {
  if (gateway.controls.payoutFunds === 'unlimited') return;
  const reserved = gateway.state.payoutBatches
    .flatMap((batch) => (batch.status === 'DENIED' ? [] : batch.items))
    .filter(({ status }) => status === 'PENDING' || status === 'ONHOLD');
  const sum = [...items, ...reserved].reduce((total, { amount, fee }) => total + amount + fee, 0);
  if (sum <= (paypalAccount(gateway).balance().USD ?? 0)) return;
  throw new PayPalError(
    422,
    'INSUFFICIENT_FUNDS',
    'Sender does not have sufficient funds. Please add funds and retry.',
  );
}

/** Reads a batch. The real API processes it within seconds; here its first reading after a second does. */
export function readPayoutBatch(gateway: PayPalGateway, id: string): PayoutBatchRecord {
  const batch = gateway.findPayoutBatch(id);
  processIfDue(gateway, batch);
  return batch;
}

const fates = {
  succeed: 'SUCCESS',
  fail: 'FAILED',
  unclaimed: 'UNCLAIMED',
  hold: 'ONHOLD',
  block: 'BLOCKED',
} as const satisfies Partial<Record<PayoutBatchRecord['fate'], PayoutStatus>>;

export function processIfDue(gateway: PayPalGateway, batch: PayoutBatchRecord): void {
  if (batch.status !== 'PENDING' || batch.created >= now() || batch.fate === 'wait') return;
  if (batch.fate === 'deny') {
    denyBatch(gateway, batch);
    return;
  }
  for (const item of batch.items) movePayout(gateway, batch, item, fates[batch.fate]);
}

/** The states that can follow each state; others have none. */
const following: Readonly<Partial<Record<PayoutStatus, readonly PayoutStatus[]>>> = {
  PENDING: ['SUCCESS', 'FAILED', 'UNCLAIMED', 'ONHOLD', 'BLOCKED'],
  ONHOLD: ['SUCCESS', 'FAILED', 'BLOCKED'],
  UNCLAIMED: ['SUCCESS', 'RETURNED'],
  SUCCESS: ['RETURNED', 'REFUNDED', 'REVERSED'],
};

export const canFollow = (item: PayoutItemRecord, status: PayoutStatus): boolean =>
  following[item.status]?.includes(status) ?? false;

/** Moves a payout to a state, with its money and its event. @returns null when the state cannot follow */
export function movePayout(
  gateway: PayPalGateway,
  batch: PayoutBatchRecord,
  item: PayoutItemRecord,
  status: PayoutStatus,
): Outcome {
  if (batch.status === 'DENIED' || !canFollow(item, status)) return null;
  item.status = status;
  item.updated = now();
  if (status === 'SUCCESS' || status === 'UNCLAIMED') item.transactionId ??= newPayPalId.transaction();
  if (status === 'RETURNED' || status === 'REFUNDED' || status === 'REVERSED')
    item.returnId = newPayPalId.transaction();
  const before = batch.status;
  batch.status = batch.items.some((one) => one.status === 'PENDING') ? 'PROCESSING' : 'SUCCESS';
  return combineSent(
    notifyPayout(gateway, batch, item),
    batch.status === before ? null : notifyPayoutBatch(gateway, batch),
  );
}

/** Denies a batch, none of whose payouts was processed. */
export function denyBatch(gateway: PayPalGateway, batch: PayoutBatchRecord): Outcome {
  if (batch.status !== 'PENDING') return null;
  batch.status = 'DENIED';
  return combineSent(notifyPayoutBatch(gateway, batch));
}

const combineSent = (...sent: (SentEvents | null)[]): SentEvents => combineEvents(...sent.flatMap((one) => one ?? []));

/** Creates the error of invalid payouts. The real API rejects the whole batch, and names each invalid payout. */
function validationError(issues: readonly Issue[]): PayPalError {
  const details = issues.map(({ field, issue }) => ({ field, location: 'body', issue, description: issue }));
  return new PayPalError(400, 'VALIDATION_ERROR', 'Invalid request - see details', details);
}

function duplicateBatch(batch: PayoutBatchRecord, origin: string): PayPalError {
  const detail = {
    field: 'SENDER_BATCH_ID',
    location: 'body',
    issue: 'Batch with given sender_batch_id already exists',
    description: 'The sender_batch_id was used within the last 30 days.',
  };
  return new PayPalError(400, 'USER_BUSINESS_ERROR', 'User business error.', [detail], payoutLinks(batch, origin));
}

/** Creates the 400 for the cancellation of a payout that is not unclaimed. */
export const notUnclaimed = (): PayPalError =>
  new PayPalError(400, 'ITEM_INCORRECT_STATUS', 'Item can not be cancelled since it is not in UNCLAIMED status.');

function now(): number {
  return Math.floor(Date.now() / 1_000);
}
