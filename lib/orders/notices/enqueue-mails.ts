import { createElement } from 'react';
import type { Executor } from '@/db/client';
import type { OrderStatus, orders } from '@/db/schema/orders';
import type { Actor } from '@/lib/access/actor';
import { type Mail, queueMail } from '@/lib/mail/compose';
import type { MailKind } from '@/lib/mail/preferences';
import { findMailRecipient } from '@/lib/mail/recipients';
import { OrderChangedMail, OrderDeliveredMail, type OrderNews } from '@/lib/mail/templates/orders';
import { NewOrderMail } from '@/lib/mail/templates/staff';
import { formatMoney, walletCurrency } from '@/lib/money';
import { toBuyerStatus } from '@/lib/orders/contract';

type Order = typeof orders.$inferSelect;
type State = Pick<Order, 'status' | 'linkUrl' | 'adminComments'>;

const getItemLabel = ({ website, packageName, projectDomain }: Order) =>
  `${website || packageName}, for ${projectDomain}`;
const getOrderUrl = (appUrl: string, { id }: Order) => `${appUrl}/user/orders?order=${id}`;

/**
 * Queues one mail to the buyer about all changes of an update that the buyer has subscribed to; none if there are none.
 * Runs in the update's transaction, so that no mail is sent for an update that is rolled back.
 */
export async function queueOrderChangedMail(
  tx: Executor,
  order: Order,
  after: State,
  how: { movedCents: number; isRejection: boolean },
): Promise<void> {
  const all = listChanges(order, after, how);
  if (all.length === 0) return;
  const reader = await findMailRecipient(tx, order.userId);
  const news = all.filter(({ kind }) => reader !== null && !reader.off.has(kind));
  const [first] = news;
  if (!reader || !first) return;
  const body: Mail['body'] = (context) =>
    createElement(OrderChangedMail, {
      ...context,
      heading: first.heading,
      what: getItemLabel(order),
      news,
      url: getOrderUrl(context.appUrl, order),
    });
  await queueMail(tx, { kind: first.kind, to: reader.email, subject: first.heading, body });
}

/** Queues the mail about a delivered file, in the transaction of the delivery. */
export async function queueContentDeliveredMail(
  tx: Executor,
  order: Order,
  { fileName, isReplacement }: { fileName: string; isReplacement: boolean },
): Promise<void> {
  const reader = await findMailRecipient(tx, order.userId);
  if (!reader || reader.off.has('order-delivery')) return;
  const heading = isReplacement ? `New content for order #${order.id}` : `The content of order #${order.id} is ready`;
  const body: Mail['body'] = (context) =>
    createElement(OrderDeliveredMail, {
      ...context,
      heading,
      what: getItemLabel(order),
      fileName,
      isReplacement,
      url: getOrderUrl(context.appUrl, order),
    });
  await queueMail(tx, { kind: 'order-delivery', to: reader.email, subject: heading, body });
}

type OrderState = { status: OrderStatus; linkUrl: string; adminComments: string };

/** A change of an order, with its mail kind and the subject of a mail that is mainly about it. */
type OrderChange = OrderNews & { kind: MailKind; heading: string };

/** `movedCents`: USD cents refunded or charged again; 0 for none. */
type ChangeDetails = { movedCents: number; isRejection: boolean };

/**
 * Lists the changes of an update in the buyer's terms, most important first. The first change that the buyer has
 * subscribed to gives the mail its subject.
 */
function listChanges(before: OrderState & { id: number }, after: OrderState, how: ChangeDetails): OrderChange[] {
  return [
    ...listMoneyChanges(before, after, how),
    ...listLinkChanges(before, after),
    ...listStatusChanges(before, after, how.isRejection),
    ...listCommentChanges(before, after),
  ];
}

function listMoneyChanges(
  { id }: { id: number },
  { status }: OrderState,
  { movedCents, isRejection }: ChangeDetails,
): OrderChange[] {
  if (movedCents === 0) return [];
  const money = formatMoney(movedCents, walletCurrency);
  const kind = 'order-refund';
  if (status !== 'Refunded') {
    const heading = `The refund of order #${id} was reversed`;
    return [{ kind, heading, text: `${money} was taken from your wallet again.` }];
  }
  const heading = `Order #${id} was ${isRejection ? 'rejected and refunded' : 'refunded'}`;
  return [{ kind, heading, text: `${money} was returned to your wallet.` }];
}

function listStatusChanges(
  before: OrderState & { id: number },
  after: OrderState,
  isRejection: boolean,
): OrderChange[] {
  const [was, is] = [toBuyerStatus(before.status), toBuyerStatus(after.status)];
  if (was === is) return [];
  return [
    {
      kind: 'order-status',
      heading: `Order #${before.id} ${isRejection ? 'was rejected' : `is now ${is}`}`,
      text: `${isRejection ? 'The order was rejected. ' : ''}Its status is now ${is}; it was ${was}.`,
    },
  ];
}

function listLinkChanges(before: OrderState & { id: number }, { linkUrl }: OrderState): OrderChange[] {
  if (linkUrl === before.linkUrl) return [];
  const kind = 'order-link';
  if (!linkUrl)
    return [{ kind, heading: `The live link of order #${before.id} was removed`, text: 'Its live link was removed.' }];
  return [
    before.linkUrl
      ? { kind, heading: `Order #${before.id} has a new live link`, text: 'Its live link changed:', href: linkUrl }
      : { kind, heading: `Order #${before.id} has a live link`, text: 'Its live link:', href: linkUrl },
  ];
}

function listCommentChanges(before: OrderState & { id: number }, { adminComments }: OrderState): OrderChange[] {
  // Removing a comment is not reported.
  if (adminComments === before.adminComments || !adminComments) return [];
  return [
    { kind: 'order-comment', heading: `New comment on order #${before.id}`, text: 'Comment:', quote: adminComments },
  ];
}

type CreatedOrder = typeof orders.$inferSelect;

/** The number of orders that the mail to staff lists; a checkout can have a hundred. */
const maxListed = 20;

/** One mail about all orders of a checkout to the staff who work on orders, except the buyer. */
export function newOrderMail(created: readonly CreatedOrder[], buyer: Actor, staff: readonly string[]): Mail {
  const [first] = created;
  const single = created.length === 1 ? first : undefined;
  const total = created.reduce((sum, { chargedCents }) => sum + chargedCents, 0);
  const buyerName = buyer.name || buyer.email;
  const heading = single ? `New order #${single.id}` : `${created.length} new orders`;
  const what = single ? getItemName(single) : `${created.length} placements`;
  return {
    kind: 'new-order',
    to: staff,
    subject: `${heading} from ${buyerName}`,
    body: (context) =>
      createElement(NewOrderMail, {
        ...context,
        heading,
        summary: `${buyerName} ordered ${what} for ${first?.projectDomain}: ${money(total)} from the wallet.`,
        // The summary is sufficient for a single order.
        lines: single
          ? []
          : created.slice(0, maxListed).map((order) => ({ id: order.id, text: formatMailLine(order) })),
        more: Math.max(0, created.length - maxListed),
        url: `${context.appUrl}/dashboard/features/orders?${single ? `order=${single.id}` : `userId=${buyer.userId}`}`,
      }),
  };
}

const getItemName = ({ website, packageName, quantity }: CreatedOrder) =>
  website || (quantity === 1 ? packageName : `${packageName} × ${quantity}`);
const formatMailLine = (order: CreatedOrder) => `#${order.id} ${getItemName(order)}: ${money(order.chargedCents)}`;
const money = (cents: number) => formatMoney(cents, walletCurrency);
