import type { z } from 'zod';
import { type EventAudience, eventAudiences } from '@/db/schema/events';
import type { Permission } from '@/lib/access/permissions';
import {
  change,
  link,
  message,
  offer,
  order,
  payout,
  placement,
  refund,
  type Subject,
  site,
  test,
  topup,
  type View,
} from './subjects';

/** The event that “Send test” sends. No endpoint subscribes to it. */
export const testEventType = 'webhook.test';

/**
 * The event of a notice in the bell, for the chats of its recipient only. It is not a type of the reference: no endpoint for
 * webhooks subscribes to it, and no list contains it.
 */
export const noticeEventType = 'bell.notice';

/** Every type of event: what happened, and the data that each audience receives. */
export const eventTypes = {
  'order.created': { summary: 'An order was placed.', subject: order },
  'order.updated': { summary: 'The status or the live link of an order changed.', subject: order },
  'order.refunded': { summary: 'The price of an order, or a part of it, returned to the wallet.', subject: refund },
  'placement.offered': { summary: 'A site of the seller was ordered.', subject: offer },
  'placement.accepted': { summary: 'The seller accepted an order.', subject: placement },
  'placement.declined': { summary: 'The seller declined an order.', subject: placement },
  'placement.expired': { summary: 'An order expired without an answer of the seller.', subject: placement },
  'placement.cancelled': { summary: 'An order was canceled before its approval.', subject: placement },
  'placement.delivered': { summary: 'The seller delivered a page.', subject: placement },
  'placement.revision_requested': { summary: 'The buyer asked for a change of the delivery.', subject: placement },
  'placement.approved': { summary: 'The delivery was approved.', subject: placement },
  'placement.closed': { summary: 'The guarantee of the link ended.', subject: placement },
  'placement.taken_over': { summary: 'Staff took over the order from the seller.', subject: placement },
  'placement.disputed': { summary: 'A dispute about the order was opened.', subject: placement },
  'placement.dispute_withdrawn': { summary: 'The dispute was withdrawn.', subject: placement },
  'placement.settled': { summary: 'The order was settled.', subject: placement },
  'placement.extension_asked': { summary: 'The seller asked for more days.', subject: placement },
  'placement.extension_granted': { summary: 'The buyer granted more days.', subject: placement },
  'placement.extension_refused': { summary: 'The buyer refused more days.', subject: placement },
  'placement.guarantee_extended': { summary: 'The buyer extended the guarantee of the link.', subject: placement },
  'placement.released': { summary: 'The seller agreed to a cancellation.', subject: placement },
  'change.asked': { summary: 'The buyer asked for a paid change of the article.', subject: change },
  'change.priced': { summary: 'The change has another price, to which the buyer has to agree.', subject: change },
  'change.accepted': { summary: 'The change was accepted, and its price was reserved.', subject: change },
  'change.delivered': { summary: 'The seller delivered the change.', subject: change },
  'change.approved': { summary: 'The change was approved.', subject: change },
  'change.declined': { summary: 'The seller declined the change.', subject: change },
  'change.withdrawn': { summary: 'The buyer withdrew the change.', subject: change },
  'change.expired': {
    summary: 'The change ended without an answer or a delivery, or with its order.',
    subject: change,
  },
  'link.changed': { summary: 'A check found the link with differences from the brief.', subject: link },
  'link.broken': { summary: 'Two checks a day apart did not find the link.', subject: link },
  'link.repaired': { summary: 'A check found the link in order again.', subject: link },
  'link.lost': { summary: 'The link was not repaired in time.', subject: link },
  'message.created': { summary: 'A message about an order was written.', subject: message },
  'topup.paid': { summary: 'A top-up was credited to the wallet.', subject: topup },
  'payout.paid': { summary: 'A payout was paid.', subject: payout },
  'payout.failed': { summary: 'A payout failed or was declined.', subject: payout },
  'payout.returned': { summary: 'A paid payout was returned by the bank or PayPal.', subject: payout },
  'site.approved': { summary: 'A site was approved.', subject: site },
  'site.rejected': { summary: 'A site was rejected.', subject: site },
  [testEventType]: { summary: 'Sent by “Send test”, to one endpoint.', subject: test },
} as const satisfies Record<string, { summary: string; subject: Subject }>;

export type EventType = keyof typeof eventTypes;

export const isEventType = (text: string): text is EventType => Object.hasOwn(eventTypes, text);

/** The types to which endpoints subscribe, in the order of the declaration. */
export const subscribableTypes = Object.keys(eventTypes)
  .filter(isEventType)
  .filter((type) => type !== testEventType);

/** Returns what an audience receives of a type; undefined if it receives none. */
export function viewOf(type: EventType, audience: EventAudience): View | undefined {
  const { subject }: { subject: Subject } = eventTypes[type];
  return subject[audience];
}

/** Returns the permission that staff need for a type of the installation's events; null for none. */
export const permissionOf = (type: EventType): Permission | null => eventTypes[type].subject.permission;

/** The data of a type for an audience, as verbs give it. */
export type EventData<Type extends EventType, Audience extends EventAudience> =
  (typeof eventTypes)[Type]['subject'] extends Record<Audience, { schema: infer Schema extends z.ZodObject }>
    ? z.input<Schema>
    : never;

/** Returns the declarations for the API reference, by type. */
export const declaredEvents = () =>
  Object.fromEntries(
    Object.keys(eventTypes)
      .filter(isEventType)
      .map((type) => [
        type,
        {
          summary: eventTypes[type].summary,
          views: eventAudiences.flatMap((audience) => {
            const view = viewOf(type, audience);
            return view ? [{ audience, ...view }] : [];
          }),
        },
      ]),
  );
