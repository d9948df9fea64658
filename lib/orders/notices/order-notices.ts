import { createElement } from 'react';
import type { Executor } from '@/db/client';
import type { BuyerNoticeKind } from '@/db/schema/notices';
import type { OrderStatus, orders } from '@/db/schema/orders';
import type { Actor, AnyActor } from '@/lib/access/actor';
import { type MailContent, queueMail } from '@/lib/mail/compose';
import { type NoticeLine, OrderChangedMail, OrderDeliveredMail } from '@/lib/mail/templates/orders';
import { NewOrderMail } from '@/lib/mail/templates/staff';
import { formatUsd } from '@/lib/money';
import { toBuyerStatus } from '@/lib/orders/contract';
import type { BuyerNotice } from './notice-texts';
import { formatItem, listOrderRecipients, notifyBuyerByBell } from './notify';

type Order = typeof orders.$inferSelect;
type State = Pick<Order, 'status' | 'linkUrl' | 'adminComments'>;

const getOrderPath = ({ id }: Order) => `/user/orders?order=${id}`;

/** Creates the line of an order's mail in a mail about several. */
const newsOf = (userId: string, order: Order, heading: string) => ({
  userId,
  text: `${heading}, ${order.website || order.packageName}`,
  path: getOrderPath(order),
});

/** Notifies the buyer of a delivered file by bell and mail, in the transaction of the delivery. */
export async function notifyOfContent(
  tx: Executor,
  actor: AnyActor,
  order: Order,
  { fileName, isReplacement }: { fileName: string; isReplacement: boolean },
): Promise<void> {
  await notifyBuyerByBell(tx, actor, order, 'order.content');
  const heading = isReplacement ? `New content for order #${order.id}` : `The content of order #${order.id} is ready`;
  for (const { userId, email, off, account } of await listOrderRecipients(tx, order))
    if (!off.has('order-delivery'))
      await queueMail(tx, {
        kind: 'order-delivery',
        to: email,
        subject: heading,
        account,
        news: newsOf(userId, order, heading),
        body: (context) =>
          createElement(OrderDeliveredMail, {
            ...context,
            heading,
            what: formatItem(order),
            fileName,
            isReplacement,
            url: `${context.appUrl}${getOrderPath(order)}`,
          }),
      });
}

type ChangeDetails = {
  /** USD cents refunded or charged again, with tax; 0 for none. */
  movedCents: number;
  isRejection: boolean;
  /** Whether a step of the same save has notified the buyer by bell. */
  hasNotice: boolean;
};

/**
 * Notifies the buyer of an update by staff: by one mail about all changes that the buyer has subscribed to, and once by
 * bell, of the most important change. Runs in the update's transaction, so that nothing is sent for an update that is
 * rolled back.
 */
export async function notifyOfUpdate(
  tx: Executor,
  actor: AnyActor,
  before: Order,
  after: State,
  { hasNotice, ...details }: ChangeDetails,
): Promise<void> {
  const { money, link, status, comment } = describeChanges(before, after, details);
  // The bell shows a refund as the new status.
  const main = [after.status === 'Refunded' ? null : money, status, link, comment].find((change) => change !== null);
  if (main && !hasNotice) await notifyBuyerByBell(tx, actor, before, main.kind);
  await mailChanges(
    tx,
    before,
    [money, link, status, comment].filter((change) => change !== null),
  );
}

/** Mails changes of an order. @param changes most important first: the first one that the buyer gets is the subject */
async function mailChanges(tx: Executor, order: Order, changes: readonly OrderChange[]): Promise<void> {
  if (changes.length === 0) return;
  for (const { userId, email, off, account } of await listOrderRecipients(tx, order)) {
    const lines = changes.filter(({ mail }) => !off.has(mail));
    const [first] = lines;
    if (!first) continue;
    await queueMail(tx, {
      kind: first.mail,
      to: email,
      subject: first.heading,
      account,
      news: newsOf(userId, order, first.heading),
      body: (context) =>
        createElement(OrderChangedMail, {
          ...context,
          heading: first.heading,
          what: formatItem(order),
          lines,
          url: `${context.appUrl}${getOrderPath(order)}`,
        }),
    });
  }
}

/** A change of an order in the buyer's terms; `heading` is the subject of a mail that is mainly about it. */
type OrderChange = NoticeLine & Pick<BuyerNotice, 'kind' | 'mail' | 'heading'>;
type OrderChanges = Record<'money' | 'link' | 'status' | 'comment', OrderChange | null>;

const statusKinds: Record<OrderStatus, BuyerNoticeKind> = {
  Pending: 'order.pending',
  Processing: 'order.processing',
  Live: 'order.live',
  Completed: 'order.completed',
  Rejected: 'order.rejected',
  Refunded: 'order.refunded',
};

function describeChanges(
  before: State & Pick<Order, 'id'>,
  { status, linkUrl, adminComments }: State,
  { movedCents, isRejection }: Omit<ChangeDetails, 'hasNotice'>,
): OrderChanges {
  const { id } = before;
  const [from, to] = [toBuyerStatus(before.status), toBuyerStatus(status)];
  return {
    money: movedCents === 0 ? null : describeMoney(id, status, { movedCents, isRejection }),
    link: linkUrl === before.linkUrl ? null : describeLink(id, before.linkUrl, linkUrl),
    status:
      from === to
        ? null
        : {
            kind: isRejection ? 'order.declined' : statusKinds[status],
            mail: 'order-status',
            heading: `Order #${id} ${isRejection ? 'was rejected' : `is now ${to}`}`,
            text: `${isRejection ? 'The order was rejected. ' : ''}Its status is now ${to}; it was ${from}.`,
          },
    // Removing a comment is not reported.
    comment:
      adminComments === before.adminComments || !adminComments
        ? null
        : {
            kind: 'order.comment',
            mail: 'order-comment',
            heading: `New comment on order #${id}`,
            text: 'Comment:',
            quote: adminComments,
          },
  };
}

function describeMoney(
  id: number,
  status: OrderStatus,
  { movedCents, isRejection }: Pick<ChangeDetails, 'movedCents' | 'isRejection'>,
): OrderChange {
  const mail = 'order-refund';
  if (status !== 'Refunded') {
    const heading = `The refund of order #${id} was reversed`;
    return {
      kind: 'order.recharged',
      mail,
      heading,
      text: `${formatUsd(movedCents)} was taken from your wallet again.`,
    };
  }
  const heading = `Order #${id} was ${isRejection ? 'rejected and refunded' : 'refunded'}`;
  return { kind: 'order.refunded', mail, heading, text: `${formatUsd(movedCents)} was returned to your wallet.` };
}

function describeLink(id: number, before: string, linkUrl: string): OrderChange {
  const change = { kind: 'order.link', mail: 'order-link' } as const;
  if (!linkUrl)
    return { ...change, heading: `The live link of order #${id} was removed`, text: 'Its live link was removed.' };
  return before
    ? { ...change, heading: `Order #${id} has a new live link`, text: 'Its live link changed:', href: linkUrl }
    : { ...change, heading: `Order #${id} has a live link`, text: 'Its live link:', href: linkUrl };
}

/** The number of orders that the mail to staff lists; a checkout can have a hundred. */
const maxListed = 20;

/** Creates one mail about all orders of a checkout to the staff who work on orders, except the buyer. */
export function newOrderMail(
  created: readonly Order[],
  buyer: Pick<Actor, 'userId' | 'name' | 'email'>,
  staff: readonly string[],
): MailContent {
  const [first] = created;
  const single = created.length === 1 ? first : undefined;
  const total = created.reduce((sum, { chargedCents, taxCents }) => sum + chargedCents + taxCents, 0);
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
        summary: `${buyerName} ordered ${what} for ${first?.projectDomain}: ${formatUsd(total)} from the wallet.`,
        // The summary is sufficient for a single order.
        lines: single
          ? []
          : created.slice(0, maxListed).map((order) => ({ id: order.id, text: formatMailLine(order) })),
        more: Math.max(0, created.length - maxListed),
        url: `${context.appUrl}/dashboard/features/orders?${single ? `order=${single.id}` : `userId=${buyer.userId}`}`,
      }),
  };
}

const getItemName = ({ website, packageName, quantity }: Order) =>
  website || (quantity === 1 ? packageName : `${packageName} × ${quantity}`);
const formatMailLine = (order: Order) =>
  `#${order.id} ${getItemName(order)}: ${formatUsd(order.chargedCents + order.taxCents)}`;
