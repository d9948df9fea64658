import type { Executor } from '@/db/client';
import type { orderChanges } from '@/db/schema/order-changes';
import type { orders } from '@/db/schema/orders';
import type { placements } from '@/db/schema/placements';
import { apiUrl, eventFor, installationEvent, type NewEvent, recordEvents } from '@/lib/events/record';
import { type EventType, isEventType } from '@/lib/events/types';
import type { PlacementAction } from '@/lib/orders/contract';
import type { StepResult } from './notice-texts';

type Order = Pick<
  typeof orders.$inferSelect,
  | 'id'
  | 'accountId'
  | 'status'
  | 'kind'
  | 'website'
  | 'packageName'
  | 'projectId'
  | 'chargedCents'
  | 'taxCents'
  | 'linkUrl'
  | 'isFulfilledBySeller'
>;
type Placement = typeof placements.$inferSelect;

/** Creates the events of an order for its buyer and the installation. */
export function orderEvents(type: 'order.created' | 'order.updated', order: Order): NewEvent[] {
  const { id, accountId, status, kind, website, packageName, projectId, chargedCents, taxCents, linkUrl } = order;
  const data = { orderId: id, status, kind, website, packageName, projectId, chargedCents, taxCents, linkUrl };
  return [
    eventFor(type, 'buyer', accountId, { ...data, url: orderUrl(id) }),
    installationEvent(type, {
      ...data,
      buyerId: accountId,
      fulfilledBy: order.isFulfilledBySeller ? 'seller' : 'staff',
      url: orderUrl(id, 'installation'),
    }),
  ];
}

/** Creates the events of money that returned to the wallet; none for no money. */
export function refundEvents({ id, accountId }: Pick<Order, 'id' | 'accountId'>, amountCents: number): NewEvent[] {
  if (amountCents <= 0) return [];
  const data = { orderId: id, amountCents };
  return [
    eventFor('order.refunded', 'buyer', accountId, { ...data, url: orderUrl(id) }),
    installationEvent('order.refunded', { ...data, buyerId: accountId, url: orderUrl(id, 'installation') }),
  ];
}

/** Creates the events of new orders and of the offers to their sellers. @param offered the placements by order */
export const orderedEvents = (created: readonly Order[], offered: ReadonlyMap<number, Placement>): NewEvent[] =>
  created.flatMap((order) => {
    const placement = offered.get(order.id);
    return [...orderEvents('order.created', order), ...(placement ? offerEvents(order, placement) : [])];
  });

/** Creates the events of an offer for its seller and the installation. The buyer has that of the order. */
function offerEvents(order: Order, placement: Placement): NewEvent[] {
  const views = placementViews(order, placement, 0);
  return [
    eventFor('placement.offered', 'seller', placement.sellerId, views.seller),
    installationEvent('placement.offered', views.installation),
  ];
}

const linkTypes = {
  link_changed: 'link.changed',
  link_broken: 'link.broken',
  link_repaired: 'link.repaired',
  lost: 'link.lost',
} as const satisfies Partial<Record<PlacementAction, EventType>>;

const isLinkStep = (action: PlacementAction): action is keyof typeof linkTypes => Object.hasOwn(linkTypes, action);

/** Records the events of a step of a placement, of the order that it changed, and of the money that it returned. */
export async function recordStepEvents(tx: Executor, result: StepResult): Promise<void> {
  const { before, order, returnedCents } = result;
  const isChanged = order.status !== before.status || order.linkUrl !== before.linkUrl;
  await recordEvents(tx, [
    ...stepEvents(result),
    ...(isChanged ? orderEvents('order.updated', order) : []),
    ...refundEvents(order, returnedCents),
  ]);
}

/** Programs learn of the steps that have a type of event, not of reminders and proposals. */
function stepEvents({ step: { action }, order, placement, returnedCents }: StepResult): NewEvent[] {
  if (isLinkStep(action)) return linkEvents(linkTypes[action], order, placement);
  const type = `placement.${action}` as const;
  if (!isEventType(type)) return [];
  const views = placementViews(order, placement, returnedCents);
  return [
    eventFor(type, 'buyer', order.accountId, views.buyer),
    eventFor(type, 'seller', placement.sellerId, views.seller),
    installationEvent(type, views.installation),
  ];
}

/** Returns what each audience learns of a placement: the buyer nothing of the seller, the seller nothing of the buyer and the price. */
function placementViews(order: Order, placement: Placement, returnedCents: number) {
  const { id, accountId: buyerId, status, website, chargedCents } = order;
  const { sellerId, sellerCents, sellerReturnedCents, state, deliveredUrl, deliveryDueAt, answerDueAt } = placement;
  const data = {
    ...{ orderId: id, state, website },
    deliveredUrl: deliveredUrl || null,
    deliveryDueAt: deliveryDueAt?.toISOString() ?? null,
  };
  const earnsCents = placement.state === 'taken_over' ? 0 : sellerCents - sellerReturnedCents;
  return {
    buyer: { ...data, status, returnedCents, url: orderUrl(id) },
    seller: { ...data, answerDueAt: answerDueAt.toISOString(), earnsCents, url: orderUrl(id, 'seller') },
    installation: {
      ...{ ...data, status, buyerId, sellerId, chargedCents, earnsCents, returnedCents },
      url: orderUrl(id, 'installation'),
    },
  };
}

/**
 * Creates the events of a check of a link.
 * @param placement null for a link of an order that staff fulfill
 */
export function linkEvents(
  type: (typeof linkTypes)[keyof typeof linkTypes],
  { id, accountId: buyerId, website, packageName, linkUrl }: Order,
  placement: Placement | null,
): NewEvent[] {
  const data = { orderId: id, website: website || packageName, pageUrl: placement?.deliveredUrl || linkUrl };
  return [
    eventFor(type, 'buyer', buyerId, { ...data, url: `${orderUrl(id)}/checks` }),
    ...(placement ? [eventFor(type, 'seller', placement.sellerId, { ...data, url: orderUrl(id, 'seller') })] : []),
    installationEvent(type, {
      ...data,
      buyerId,
      sellerId: placement?.sellerId ?? null,
      url: `${orderUrl(id, 'installation')}/checks`,
    }),
  ];
}

/** Creates the events of a step of a paid change: the buyer learns the price, and the seller the own share. */
export function changeEvents(
  { id: orderId, website }: Pick<Order, 'id' | 'website'>,
  change: typeof orderChanges.$inferSelect,
): NewEvent[] {
  const { id: changeId, state, buyerId, sellerId, sellerCents, marginCents, targetUrl, anchor, dueAt } = change;
  const type = `change.${state}` as const;
  const data = { orderId, changeId, state, website, targetUrl, anchor, dueAt: dueAt?.toISOString() ?? null };
  const priceCents = sellerCents + marginCents;
  const earnsCents = sellerCents;
  return [
    eventFor(type, 'buyer', buyerId, { ...data, priceCents, url: `${orderUrl(orderId)}/changes` }),
    eventFor(type, 'seller', sellerId, { ...data, earnsCents, url: `${orderUrl(orderId, 'seller')}/changes` }),
    installationEvent(type, {
      ...{ ...data, priceCents, earnsCents, buyerId, sellerId },
      url: orderUrl(orderId, 'installation'),
    }),
  ];
}

const folders = { buyer: '/api/orders', seller: '/api/seller/orders', installation: '/api/admin/orders' };

const orderUrl = (id: number, audience: keyof typeof folders = 'buyer') => apiUrl(`${folders[audience]}/${id}`);
