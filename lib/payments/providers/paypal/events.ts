import { payments } from '@paypal/checkout-server-sdk';
import { z } from 'zod';
import type { ProviderMode } from '@/db/schema/topups';
import { AppError } from '@/lib/errors';
import { parseProviderPayload } from '../parse-provider-payload';
import {
  type EventLog,
  type EventSubject,
  type Evidence,
  ProviderError,
  type ProviderEvent,
  type ReversalEvidence,
} from '../provider';
import { type PayPalCall, type PayPalLink, payPalLink } from './client';
import { disputeEvidence } from './disputes';
import { payPalEventObjects } from './event-types';
import { payPalTime, readCaptureEvidence, requireSame, topupOfCapture } from './evidence';
import { payPalMoney } from './money';

const eventSchema = z.object({ id: z.string().min(1), event_type: z.string().min(1), resource: z.unknown() });

const name = z.string().min(1).optional();
const named = z.object({ id: name, order_id: name, dispute_id: name });

const refundSchema = z.object({
  id: z.string().min(1),
  status: z.string(),
  amount: payPalMoney,
  custom_id: z.string().nullish(),
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
 * Reads a verified notification.
 * @param mode the one whose webhook it was signed for: the notification does not say
 * @throws ProviderError when it is no event
 */
export function payPalEvent(payload: unknown, mode: ProviderMode): ProviderEvent {
  const { id, event_type: type, resource } = parseProviderPayload('PayPal', eventSchema, payload);
  return { eventId: id, type, mode, payload, subjects: () => subjectsOf(type, resource) };
}

const objectOf = new Map<string, EventSubject['object']>(Object.entries(payPalEventObjects));

/** An approved order is not collected here: only the books know whether it is ours. */
function subjectsOf(type: string, json: unknown): EventSubject[] {
  const object = objectOf.get(type);
  if (object === undefined) return [];
  const { id, order_id, dispute_id } = parseProviderPayload('PayPal', named, json);
  // A dispute names itself, and a reversed approval its order, in a property of its own.
  const name = object === 'dispute' ? dispute_id : object === 'checkout' ? (order_id ?? id) : id;
  if (name === undefined) throw new ProviderError(`PayPal's event ${type} names no object`);
  return [{ object, id: name }];
}

/**
 * What PayPal answers about the object of an event, except an order.
 * @throws ProviderError when PayPal does not answer, or does not know it
 */
export async function retrievePayPal(
  { object, id }: EventSubject,
  mode: ProviderMode,
  call: PayPalCall,
): Promise<Evidence[]> {
  switch (object) {
    case 'payment':
      return [readCaptureEvidence(await call(new payments.CapturesGetRequest(id)), id, mode)];
    case 'refund':
      return [await refundEvidence(id, 'refund', mode, call)];
    case 'reversal':
      return [await refundEvidence(id, 'dispute', mode, call)];
    case 'dispute':
      return [await disputeEvidence(id, mode, call)];
    default:
      throw new ProviderError(`PayPal has no ${object} to ask about`);
  }
}

/** Money that went back: by our refund, or pulled back for a dispute that was lost. @throws ProviderError */
async function refundEvidence(
  id: string,
  kind: ReversalEvidence['kind'],
  mode: ProviderMode,
  call: PayPalCall,
): Promise<ReversalEvidence> {
  const told = parseProviderPayload('PayPal', refundSchema, await call(new payments.RefundsGetRequest(id)));
  requireSame('refund', told.id, id);
  const money = refundMoney[told.status];
  if (!money) throw new ProviderError(`PayPal's refund ${id} is in an unknown state: ${told.status}`);
  const paymentReference = told.links
    .find(({ rel }) => rel === 'up')
    ?.href.split('/')
    .pop();
  if (!paymentReference) throw new ProviderError(`PayPal's refund ${told.id} names no capture`);
  return {
    about: 'reversal',
    kind,
    reference: told.id,
    paymentReference,
    // Told before its payment, only the top-up's id ties it to us: where it is left out, the capture is asked for it.
    topupId: told.custom_id ?? (await topupOfCapture(paymentReference, call)),
    mode,
    ...told.amount,
    money,
    outcome: kind === 'dispute' ? 'lost' : null,
    ...(told.create_time && { happenedAt: told.create_time }),
  };
}

/** @throws AppError invalid_input when it is no JSON */
export function payPalJson(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    throw new AppError('invalid_input', 'The notification cannot be read.');
  }
}

const path = '/v1/notifications/webhooks-events';
const pageSize = 100;
/** A list that never ends is a fault of the provider's. */
const mostPages = 1_000;

const pageSchema = z.object({ events: z.array(z.unknown()).default([]), links: z.array(payPalLink).default([]) });

/**
 * PayPal's list of the events that it sent, or tried to send, to the webhooks of the app. It has the ids that webhooks
 * carry and goes back 30 days.
 * @see https://developer.paypal.com/docs/api/webhooks/v1/#webhooks-events_list
 */
export function payPalEventLog(mode: ProviderMode, call: PayPalCall): EventLog {
  return {
    keptDays: 30,
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
        if (page >= mostPages) throw new ProviderError(`PayPal’s list of events has more than ${mostPages} pages`);
        const answer: unknown = await call({
          path: next,
          verb: 'GET',
          headers: { 'Content-Type': 'application/json' },
        });
        const { events, links } = parseProviderPayload('PayPal', pageSchema, answer);
        yield events.map((event) => ({ ...payPalEvent(event, mode), topupId: null }));
        next = events.length === 0 ? null : nextPath(links);
      }
    },
  };
}

/**
 * Only the path of the link is followed: PayPal names its host, which need not be the one that is called. In PayPal's
 * examples the path of these links ends with a slash.
 */
function nextPath(links: readonly PayPalLink[]): string | null {
  const link = links.find(({ rel }) => rel === 'next');
  if (!link) return null;
  const { pathname, search } = new URL(link.href);
  if (pathname !== path && pathname !== `${path}/`)
    throw new ProviderError(`PayPal’s next page of events is at ${pathname}`);
  return `${pathname}${search}`;
}

/** Whole seconds, as in PayPal's examples. */
function toPayPalTime(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`;
}
