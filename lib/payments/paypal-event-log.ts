import { z } from 'zod';
import type { ProviderMode } from '../../db/schema/topups';
import { type PayPalCall, type PayPalLink, payPalLink } from './paypal-client';
import { payPalEvent } from './paypal-event';
import { type EventLog, ProviderError } from './provider';
import { understood } from './understood';

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
        const { events, links } = understood('PayPal', pageSchema, answer);
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
