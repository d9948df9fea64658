import { z } from 'zod';
import type { ProviderMode } from '@/db/schema/topups';
import {
  isOutage,
  type PayoutBatchEvidence,
  type PayoutEvidence,
  type PayoutRail,
  PayoutRefusal,
  ProviderError,
} from '@/lib/payments/providers/provider';
import { parseProviderPayload } from '@/lib/payments/providers/provider-calls';
import { type PayPalCall, PayPalRefusal, payPalCurrency, toPayPalMoney } from './client';
import { requireSameId } from './evidence';

const path = '/v1/payments/payouts';
const itemPath = '/v1/payments/payouts-item';
const pageSize = 500;
/** Guards against an endless list: PayPal accepts 15,000 payouts in a batch. */
const maxPages = 30;

/** Distinguishes our batches from those of other apps of the account. */
const batchPrefix = 'linkmarket-';
const toSenderBatchId = ({ id, revision }: { id: string; revision: number }) =>
  `${batchPrefix}${id}${revision === 0 ? '' : `-${revision}`}`;
const toBatchId = (senderBatchId: string): string | null =>
  new RegExp(`^${batchPrefix}(\\w+)(?:-\\d+)?$`).exec(senderBatchId)?.[1] ?? null;

const batchStatuses: Readonly<Record<string, PayoutBatchEvidence['outcome']>> = {
  NEW: 'open',
  ACKNOWLEDGED: 'open',
  PENDING: 'open',
  PROCESSING: 'open',
  SUCCESS: 'done',
  DENIED: 'denied',
  CANCELED: 'denied',
};

/**
 * `transaction_status`, with the states that only events and older documents of PayPal name. A payout in an unknown one
 * is open, so that the other payouts of its batch are read; staff see PayPal's name of it.
 */
const itemStatuses: Readonly<Record<string, PayoutEvidence['outcome']>> = {
  NEW: 'open',
  PENDING: 'open',
  PROCESSING: 'open',
  ONHOLD: 'open',
  HELD: 'open',
  UNCLAIMED: 'unclaimed',
  SUCCESS: 'paid',
  FAILED: 'failed',
  DENIED: 'failed',
  BLOCKED: 'failed',
  CANCELED: 'returned',
  RETURNED: 'returned',
  REFUNDED: 'returned',
  REVERSED: 'returned',
};

/** The texts for sellers and staff, where PayPal states no reason. */
const statusReasons: Readonly<Record<string, string>> = {
  UNCLAIMED: 'The recipient has no PayPal account for this address yet.',
  FAILED: 'PayPal could not execute the payout.',
  DENIED: 'PayPal denied the payout.',
  BLOCKED: 'PayPal blocked the payout.',
  CANCELED: 'The payout was canceled before the recipient claimed it.',
  RETURNED: 'The recipient did not claim the payout.',
  REFUNDED: 'The recipient refunded the payout.',
  REVERSED: 'PayPal reversed the payout.',
};

const headerSchema = z.object({
  payout_batch_id: z.string().min(1),
  batch_status: z.string(),
  sender_batch_header: z.object({ sender_batch_id: z.string().optional() }),
});
const itemSchema = z.object({
  payout_item_id: z.string().min(1),
  payout_batch_id: z.string().min(1),
  transaction_id: z.string().min(1).optional(),
  // Absent until PayPal begins to process the item.
  transaction_status: z.string().default('PENDING'),
  payout_item_fee: payPalCurrency.optional(),
  payout_item: z.object({ amount: payPalCurrency, sender_item_id: z.string().optional() }),
  errors: z.object({ name: z.string().optional(), message: z.string().optional() }).nullish().catch(null),
});
const createdSchema = z.object({ batch_header: z.object({ payout_batch_id: z.string().min(1) }) });
const pageSchema = z.object({
  batch_header: headerSchema,
  items: z.array(itemSchema).default([]),
  total_pages: z.int().default(1),
});

type Account = { mode: ProviderMode; clientId: string; call: PayPalCall };

/**
 * Opens PayPal Payouts. The SDK has no requests for it. The app at PayPal needs the feature "Payouts".
 * @see https://developer.paypal.com/docs/api/payments.payouts-batch/v1/
 */
export function payPalPayouts({ mode, clientId, call }: Account): PayoutRail {
  const get = (address: string) => call({ path: address, verb: 'GET', headers: jsonHeaders() });
  const getPage = async (reference: string, query: Record<string, string>) => {
    const address = `${path}/${encodeURIComponent(reference)}?${new URLSearchParams(query)}`;
    const page = parseProviderPayload('PayPal', pageSchema, await get(address));
    requireSameId('batch of payouts', page.batch_header.payout_batch_id, reference);
    return page;
  };
  const parseItem = (json: unknown, reference: string) => {
    const item = parseProviderPayload('PayPal', itemSchema, json);
    requireSameId('payout', item.payout_item_id, reference);
    return toEvidence(item);
  };

  return {
    mode,
    account: clientId,
    async sendBatch(batch) {
      const senderBatchId = toSenderBatchId(batch);
      const body = {
        sender_batch_header: { sender_batch_id: senderBatchId, email_subject: batch.subject },
        items: batch.payouts.map(({ id, amountMinor, currency, receiver }) => ({
          recipient_type: 'EMAIL',
          amount: { currency, value: toPayPalMoney(amountMinor, currency).value },
          receiver,
          sender_item_id: id,
        })),
      };
      const headers = { ...jsonHeaders(), 'PayPal-Request-Id': senderBatchId };
      try {
        const created = await call({ path, verb: 'POST', headers, body });
        return parseProviderPayload('PayPal', createdSchema, created).batch_header.payout_batch_id;
      } catch (thrown) {
        if (!(thrown instanceof PayPalRefusal)) throw thrown;
        const earlier = findEarlierBatch(thrown);
        if (earlier !== null) return earlier;
        throw toPayoutRefusal(thrown, batch.payouts);
      }
    },
    async findBatch(reference) {
      const payouts: PayoutEvidence[] = [];
      for (let page = 1; page <= maxPages; page += 1) {
        const query = { page_size: String(pageSize), page: String(page), total_required: 'true' };
        const { batch_header: header, items, total_pages: pages } = await getPage(reference, query);
        payouts.push(...items.map(toEvidence));
        if (page >= pages) return { ...toBatchEvidence(header), payouts };
      }
      throw new ProviderError(`PayPal’s batch ${reference} has more than ${maxPages} pages`);
    },
    async identifyBatch({ object, id }) {
      if (object === 'payout') {
        return { reference: parseItem(await get(`${itemPath}/${encodeURIComponent(id)}`), id).batchReference };
      }
      const { batch_header: header } = await getPage(id, { page_size: '1', page: '1' });
      return { reference: header.payout_batch_id };
    },
    async cancelUnclaimed(reference) {
      const address = `${itemPath}/${encodeURIComponent(reference)}/cancel`;
      return parseItem(await call({ path: address, verb: 'POST', headers: jsonHeaders() }), reference);
    },
  };
}

/** Creates the headers of a request: a new object for each, which the SDK mutates. */
const jsonHeaders = () => ({ 'Content-Type': 'application/json' });

/**
 * Finds the batch of an earlier request. PayPal refuses a repeated `sender_batch_id` with a link to the batch that the
 * earlier request created. The path is part of the published API; the rest of the link is not used.
 */
function findEarlierBatch({ links, httpStatus }: PayPalRefusal): string | null {
  if (httpStatus >= 500) return null;
  for (const { href } of links) {
    const [, id] = /^\/v1\/payments\/payouts\/([\w-]{1,30})$/.exec(new URL(href).pathname) ?? [];
    if (id) return id;
  }
  return null;
}

/** Refusals whose cause is removed at PayPal, so that the same batch can be sent again. */
const repairable = new Set(['NOT_AUTHORIZED', 'PERMISSION_DENIED', 'AUTHORIZATION_ERROR', 'AUTHENTICATION_FAILURE']);

/** Returns the refusal itself when the batch may exist. */
function toPayoutRefusal(refused: PayPalRefusal, payouts: readonly { id: string }[]): ProviderError {
  const { httpStatus, errorName, issue } = refused;
  if (httpStatus >= 500 || httpStatus === 408 || httpStatus === 409) return refused;
  const isRepairable = isOutage(refused) || httpStatus === 404 || repairable.has(errorName) || repairable.has(issue);
  return new PayoutRefusal(refused.reason, !isRepairable, findRefusedPayouts(refused, payouts), { cause: refused });
}

/**
 * Lists the refused payouts. PayPal rejects a whole batch for one invalid payout, and names each by its index:
 * `items[3].receiver`.
 * @see https://github.com/paypal/Payouts-Java-SDK/issues/7 for an answer; the schema describes a JSON pointer, `/items/3/receiver`
 */
function findRefusedPayouts({ fields }: PayPalRefusal, payouts: readonly { id: string }[]): string[] {
  const ids = fields.flatMap((field) => {
    const [, bracketed, pointed] = /^[#/]*items(?:\[(\d{1,5})\]|\/(\d{1,5}))/.exec(field) ?? [];
    const index = bracketed ?? pointed;
    return index === undefined ? [] : (payouts[Number(index)]?.id ?? []);
  });
  return [...new Set(ids)];
}

function toBatchEvidence(header: z.output<typeof headerSchema>): Omit<PayoutBatchEvidence, 'payouts'> {
  const { payout_batch_id: reference, batch_status: status } = header;
  const outcome = batchStatuses[status];
  if (!outcome) throw new ProviderError(`PayPal’s batch ${reference} is in an unknown state: ${status}`);
  return { reference, batchId: toBatchId(header.sender_batch_header.sender_batch_id ?? ''), outcome };
}

function toEvidence(item: z.output<typeof itemSchema>): PayoutEvidence {
  const { payout_item_id: reference, transaction_status: status, payout_item_fee: fee, payout_item: sent } = item;
  return {
    reference,
    batchReference: item.payout_batch_id,
    payoutId: sent.sender_item_id ?? null,
    outcome: itemStatuses[status] ?? 'open',
    status,
    ...sent.amount,
    feeCents: !fee ? 0 : fee.currency === 'USD' ? fee.amountMinor : null,
    transactionId: item.transaction_id ?? null,
    reason: describeReason(status, item.errors ?? {}),
  };
}

/** Describes an unpaid payout by the state's own text: PayPal keeps the error of an unclaimed one on its return. */
function describeReason(
  status: string,
  { name, message }: { name?: string | undefined; message?: string | undefined },
) {
  const text = statusReasons[status];
  if (text === undefined) return '';
  if (itemStatuses[status] !== 'failed' || (!name && !message)) return text;
  return `${text} ${[name, message].filter(Boolean).join(': ')}`.slice(0, 300);
}
