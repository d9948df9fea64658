import { orders, payments } from '@paypal/checkout-server-sdk';
import { z } from 'zod';
import type { ProviderMode } from '@/db/schema/topups';
import { payPalEventObjects } from '@/lib/payments/providers/event-types';
import {
  type EventLog,
  type EventSubject,
  ProviderError,
  type ProviderEvent,
  type RefundRequest,
  type ReversalEvidence,
} from '@/lib/payments/providers/provider';
import { parseProviderPayload } from '@/lib/payments/providers/provider-calls';
import { type PayPalCall, type PayPalLink, payPalLink, payPalMoney, toPayPalMoney } from './client';
import { getDisputeEvidence } from './disputes';
import { findTopupIdOfCapture, parseCaptureEvidence, payPalTime, requireSameId } from './evidence';

const eventSchema = z.object({ id: z.string().min(1), event_type: z.string().min(1), resource: z.unknown() });

const optionalId = z.string().min(1).optional();
const idsSchema = z.object({
  id: optionalId,
  order_id: optionalId,
  dispute_id: optionalId,
  payout_item_id: optionalId,
  batch_header: z.object({ payout_batch_id: optionalId }).optional(),
});
type Ids = z.output<typeof idsSchema>;

const refundSchema = z.object({
  id: z.string().min(1),
  status: z.string(),
  amount: payPalMoney,
  custom_id: z.string().nullish(),
  invoice_id: z.string().nullish(),
  create_time: payPalTime,
  links: z.array(payPalLink),
});

/** `refund_status` of PayPal's Payments v2. A pending refund is paid by eCheck and has not left the account. */
const refundMoney: Readonly<Record<string, ReversalEvidence['money']>> = {
  PENDING: 'kept',
  COMPLETED: 'taken',
  FAILED: 'returned',
  CANCELLED: 'returned',
};

/**
 * Parses a verified webhook event.
 * @param mode the mode of the webhook whose signature was verified; the event does not state it
 * @throws ProviderError when the payload is not an event
 */
export function parsePayPalEvent(payload: unknown, mode: ProviderMode): ProviderEvent {
  const { id, event_type: type, resource } = parseProviderPayload('PayPal', eventSchema, payload);
  return { eventId: id, type, mode, payload, subjects: () => parseSubjects(type, resource) };
}

const objectByType = new Map<string, EventSubject['object']>(Object.entries(payPalEventObjects));

/** Does not capture an approved order: only the ledger's data shows whether the order is ours. */
function parseSubjects(type: string, json: unknown): EventSubject[] {
  const object = objectByType.get(type);
  if (object === undefined) return [];
  const objectId = findObjectId(object, parseProviderPayload('PayPal', idsSchema, json));
  if (objectId === undefined) throw new ProviderError(`PayPal's event ${type} references no object`);
  return [{ object, id: objectId }];
}

function findObjectId(object: EventSubject['object'], ids: Ids): string | undefined {
  switch (object) {
    case 'dispute':
      return ids.dispute_id;
    case 'checkout':
      // A reversed approval has the id of its order.
      return ids.order_id ?? ids.id;
    case 'payout':
      return ids.payout_item_id;
    case 'payout_batch':
      return ids.batch_header?.payout_batch_id;
    default:
      return ids.id;
  }
}

/**
 * Retrieves the object of an event from PayPal, except an order and payouts.
 * @throws ProviderError when PayPal does not respond or does not find the object
 */
export async function retrievePayPalEvidence({ object, id }: EventSubject, mode: ProviderMode, call: PayPalCall) {
  switch (object) {
    case 'payment':
      return [parseCaptureEvidence(await call(new payments.CapturesGetRequest(id)), id, mode)];
    case 'refund':
      return [await getRefundEvidence(id, 'refund', mode, call)];
    case 'reversal':
      return [await getRefundEvidence(id, 'dispute', mode, call)];
    case 'dispute':
      return [await getDisputeEvidence(id, mode, call)];
    default:
      throw new ProviderError(`PayPal has no ${object} to retrieve`);
  }
}

/** Returns the evidence of a refund by us, or of a withdrawal for a lost dispute. @throws ProviderError */
async function getRefundEvidence(id: string, kind: ReversalEvidence['kind'], mode: ProviderMode, call: PayPalCall) {
  const json = await call(new payments.RefundsGetRequest(id));
  const refund = parseProviderPayload('PayPal', refundSchema, json);
  requireSameId('refund', refund.id, id);
  return toRefundEvidence(refund, kind, mode, call);
}

async function toRefundEvidence(
  refund: z.output<typeof refundSchema>,
  kind: ReversalEvidence['kind'],
  mode: ProviderMode,
  call: PayPalCall,
): Promise<ReversalEvidence> {
  const money = refundMoney[refund.status];
  if (!money) throw new ProviderError(`PayPal's refund ${refund.id} is in an unknown state: ${refund.status}`);
  const paymentReference = refund.links
    .find(({ rel }) => rel === 'up')
    ?.href.split('/')
    .pop();
  if (!paymentReference) throw new ProviderError(`PayPal's refund ${refund.id} references no capture`);
  return {
    about: 'reversal',
    kind,
    reference: refund.id,
    paymentReference,
    // Before its payment is booked, only the top-up's id identifies the refund; without `custom_id` it is read from the
    // capture.
    topupId: refund.custom_id ?? (await findTopupIdOfCapture(paymentReference, call)),
    mode,
    ...refund.amount,
    money,
    outcome: kind === 'dispute' ? 'lost' : null,
    ...(kind === 'refund' && { refundId: refund.invoice_id ?? null }),
    ...(refund.create_time && { happenedAt: refund.create_time }),
  };
}

/** Refunds a capture. The refund has our id as its `invoice_id`. @throws ProviderError */
export async function refundCapture(request: RefundRequest, mode: ProviderMode, call: PayPalCall) {
  const { refundId, topupId, paymentReference, amountMinor, currency } = request;
  // The types of the SDK lack the fields of the current API.
  const body = { amount: toPayPalMoney(amountMinor, currency), custom_id: topupId, invoice_id: refundId };
  const sent = new payments.CapturesRefundRequest(paymentReference);
  sent.payPalRequestId(refundId).prefer('return=representation');
  const json = await call(Object.assign(sent, { body }));
  return toRefundEvidence(parseProviderPayload('PayPal', refundSchema, json), 'refund', mode, call);
}

const refundedOrder = z.object({
  id: z.string(),
  purchase_units: z.array(z.object({ payments: z.object({ refunds: z.array(z.unknown()).default([]) }).optional() })),
});
const namedRefund = z.object({ id: z.string().min(1), invoice_id: z.string().nullish() });

/** Finds the refund with our id among the refunds of its order. @throws ProviderError */
export async function findOrderRefund(
  { refundId, providerReference }: RefundRequest,
  mode: ProviderMode,
  call: PayPalCall,
): Promise<ReversalEvidence | null> {
  if (providerReference === null) throw new ProviderError('The order of the payment is not known');
  const json = await call(new orders.OrdersGetRequest(providerReference));
  const order = parseProviderPayload('PayPal', refundedOrder, json);
  requireSameId('order', order.id, providerReference);
  const listed = order.purchase_units.flatMap((unit) => unit.payments?.refunds ?? []);
  const refunds = parseProviderPayload('PayPal', z.array(namedRefund), listed);
  const found = refunds.find(({ invoice_id: invoiceId }) => invoiceId === refundId);
  return found ? getRefundEvidence(found.id, 'refund', mode, call) : null;
}

const path = '/v1/notifications/webhooks-events';
const pageSize = 100;
/** Guards against an endless list. */
const maxPages = 1_000;

const pageSchema = z.object({ events: z.array(z.unknown()).default([]), links: z.array(payPalLink).default([]) });

/**
 * Opens PayPal's list of the events that it sent, or tried to send, to the webhooks of the app. It has the ids of the
 * webhook events and goes back 30 days.
 * @see https://developer.paypal.com/docs/api/webhooks/v1/#webhooks-events_list
 */
export function payPalEventLog(mode: ProviderMode, call: PayPalCall): EventLog {
  return {
    retentionDays: 30,
    overlapMs: 60 * 60 * 1000,
    completeUntil: (now) => now,
    async *list(from, until) {
      const query = new URLSearchParams({
        page_size: String(pageSize),
        start_time: toPayPalTime(from),
        end_time: toPayPalTime(until),
      });
      let next: string | null = `${path}?${query}`;
      for (let page = 0; next !== null; page += 1) {
        if (page >= maxPages) throw new ProviderError(`PayPal’s list of events has more than ${maxPages} pages`);
        const response: unknown = await call({
          path: next,
          verb: 'GET',
          headers: { 'Content-Type': 'application/json' },
        });
        const { events, links } = parseProviderPayload('PayPal', pageSchema, response);
        yield events.map((event) => ({ ...parsePayPalEvent(event, mode), topupId: null }));
        next = events.length === 0 ? null : nextPath(links);
      }
    },
  };
}

/**
 * Returns the path of the next page. Only the path is used, because the host in PayPal's link may differ from the API
 * host. In PayPal's examples the path ends with a slash.
 */
function nextPath(links: readonly PayPalLink[]): string | null {
  const link = links.find(({ rel }) => rel === 'next');
  if (!link) return null;
  const { pathname, search } = new URL(link.href);
  if (pathname !== path && pathname !== `${path}/`)
    throw new ProviderError(`PayPal’s next page of events is at ${pathname}`);
  return `${pathname}${search}`;
}

/** Formats whole seconds, as in PayPal's examples. */
function toPayPalTime(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`;
}
