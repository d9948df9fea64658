import { createElement } from 'react';
import type { Executor } from '@/db/client';
import { type BuyerNoticeKind, notices } from '@/db/schema/notices';
import type { OrderStatus, orders } from '@/db/schema/orders';
import type { AnyActor } from '@/lib/access/actor';
import type { LinkNews } from '@/lib/links/watches';
import { queueMail } from '@/lib/mail/compose';
import { isMailKind } from '@/lib/mail/preferences';
import { findMailRecipient } from '@/lib/mail/recipients';
import { OrderChangedMail } from '@/lib/mail/templates/orders';
import { formatMoney, walletCurrency } from '@/lib/money';
import { createNotification } from '@/lib/notifications/notifications';
import { toBuyerStatus } from '@/lib/orders/contract';
import { type Announced, type BuyerNews, describeStep, formatDue, type SellerNews } from './notification-texts';

/** Notifies the seller and the buyer of a step by bell and mail, except the user who made it. */
export async function announceStep(tx: Executor, actor: AnyActor, announced: Announced): Promise<void> {
  const { seller, buyer } = describeStep(announced);
  const { order, placement, step } = announced;
  // The buyer's project is not shown to the seller.
  const [website, forProject] = [order.website, `${order.website}, for ${order.projectDomain}`];
  if (seller)
    await sendNews(tx, actor, order, { userId: placement.sellerId, area: 'seller', what: website, news: seller });
  if (buyer && !isReplacedBySave(announced)) {
    const recipient: Recipient = { userId: order.userId, area: 'user', what: forProject, news: buyer };
    await (step.isPartOfSave ? notify : sendNews)(tx, actor, order, recipient);
  }
}

/**
 * Whether a save by staff continues with the status of the order itself, of which it notifies the buyer instead: a
 * placement is taken over only to be rejected there, and settled below the whole price only to be refunded.
 */
const isReplacedBySave = ({ step: { action, isPartOfSave }, order: { status } }: Announced): boolean =>
  isPartOfSave === true && (action === 'taken_over' || (action === 'settled' && status !== 'Refunded'));

type AnnouncedOrder = Announced['order'];
type Recipient = { userId: string; area: 'seller' | 'user'; what: string; news: SellerNews | BuyerNews };

const notify = (
  tx: Executor,
  actor: AnyActor,
  order: AnnouncedOrder,
  { userId, news: { notice } }: Recipient,
): Promise<void> =>
  createNotification(tx, actor, { userId, kind: notice, subject: formatOrderSubject(order), orderId: order.id });

/** Notifies the buyer of an order without a placement by bell and mail. */
const sendBuyerNews = (tx: Executor, actor: AnyActor, order: AnnouncedOrder, news: BuyerNews): Promise<void> =>
  sendNews(tx, actor, order, {
    userId: order.userId,
    area: 'user',
    what: `${order.website || order.packageName}, for ${order.projectDomain}`,
    news,
  });

async function sendNews(tx: Executor, actor: AnyActor, order: AnnouncedOrder, sent: Recipient): Promise<void> {
  const { userId, area, what } = sent;
  const { mail, heading, news } = sent.news;
  if (userId === actor.userId) return;
  await notify(tx, actor, order, sent);
  const recipient = await findMailRecipient(tx, userId);
  if (!recipient || (isMailKind(mail) && recipient.off.has(mail))) return;
  await queueMail(tx, {
    kind: mail,
    to: recipient.email,
    subject: heading,
    body: (context) => {
      const url = `${context.appUrl}/${area}/orders/${order.id}`;
      return createElement(OrderChangedMail, { ...context, heading, what, news, url, area });
    },
  });
}

type Offered = Pick<Announced, 'order' | 'placement'>;

/** Notifies sellers of new orders: a notification for each order, and one mail for each seller. */
export async function announceOffers(tx: Executor, offered: readonly Offered[]): Promise<void> {
  await tx.insert(notices).values(
    offered.map(({ order, placement }) => ({
      userId: placement.sellerId,
      kind: 'placement.offered' as const,
      subject: formatOrderSubject(order),
      orderId: order.id,
    })),
  );
  for (const sellerId of new Set(offered.map(({ placement }) => placement.sellerId)))
    await mailOffers(
      tx,
      sellerId,
      offered.filter(({ placement }) => placement.sellerId === sellerId),
    );
}

async function mailOffers(tx: Executor, sellerId: string, offered: readonly Offered[]): Promise<void> {
  const recipient = await findMailRecipient(tx, sellerId);
  const [first] = offered;
  if (!recipient || recipient.off.has('seller-offer') || !first) return;
  const single = offered.length === 1 ? first.order : undefined;
  const heading = single ? `New order #${single.id}` : `${offered.length} new orders`;
  await queueMail(tx, {
    kind: 'seller-offer',
    to: recipient.email,
    subject: heading,
    body: (context) =>
      createElement(OrderChangedMail, {
        ...context,
        heading,
        what: `Accept or decline by ${formatDue(first.placement.answerDueAt)}. Without an answer, ${single ? 'it expires' : 'they expire'}.`,
        news: offered.map(({ order, placement }) => ({
          text: `Order #${order.id}, ${order.website}: you earn ${formatMoney(placement.sellerCents, walletCurrency)}.`,
        })),
        url: `${context.appUrl}/seller/orders${single ? `/${single.id}` : ''}`,
        area: 'seller',
      }),
  });
}

type Text = { notice: BuyerNoticeKind; heading: string; text: string };

const texts: Record<Exclude<LinkNews, 'lost' | 'repair_due'>, (id: number) => Text> = {
  changed: (id) => ({
    notice: 'order.link_changed',
    heading: `The link of order #${id} changed`,
    text: 'It differs from your brief, or search engines do not see the page:',
  }),
  broken: (id) => ({
    notice: 'order.link_broken',
    heading: `The link of order #${id} is missing`,
    text: 'Two checks a day apart did not find it. Our team was notified:',
  }),
  repaired: (id) => ({
    notice: 'order.link_repaired',
    heading: `The link of order #${id} is in order again`,
    text: 'The newest check found it:',
  }),
};

/** Notifies the buyer about the link of an order that staff fulfill. Staff find it in their list of link checks. */
export async function announceLinkNews(
  tx: Executor,
  actor: AnyActor,
  order: typeof orders.$inferSelect,
  news: keyof typeof texts,
): Promise<void> {
  const { notice, heading, text } = texts[news](order.id);
  await sendBuyerNews(tx, actor, order, {
    notice,
    mail: 'order-link-check',
    heading,
    news: [{ text, href: order.linkUrl }],
  });
}

type Order = typeof orders.$inferSelect;
type State = Pick<Order, 'status' | 'linkUrl' | 'adminComments'>;

/** The order in a notification: "Order #12, example.com". */
export const formatOrderSubject = ({
  id,
  website,
  packageName,
}: Pick<Order, 'id' | 'website'> & { packageName?: string }): string =>
  `Order #${id}, ${website.replace(/^https?:\/\//i, '') || packageName}`;

/** Creates a notification for the buyer of an order that staff fulfill. Steps of a placement have their own. */
export const notifyBuyer = (tx: Executor, actor: AnyActor, order: Order, kind: BuyerNoticeKind): Promise<void> =>
  createNotification(tx, actor, { userId: order.userId, kind, subject: formatOrderSubject(order), orderId: order.id });

/**
 * Notifies the buyer of an update by staff, once, of its most important change.
 * @param how the USD cents refunded or charged again, 0 for none, and whether the order was rejected
 */
export async function notifyOrderChanged(
  tx: Executor,
  actor: AnyActor,
  order: Order,
  after: State,
  how: { movedCents: number; isRejection: boolean },
): Promise<void> {
  const kind = findChange(order, after, how);
  if (kind) await notifyBuyer(tx, actor, order, kind);
}

const statusNotices: Record<OrderStatus, BuyerNoticeKind> = {
  Pending: 'order.pending',
  Processing: 'order.processing',
  Live: 'order.live',
  Completed: 'order.completed',
  Rejected: 'order.rejected',
  Refunded: 'order.refunded',
};

function findChange(
  before: State,
  after: State,
  { movedCents, isRejection }: { movedCents: number; isRejection: boolean },
): BuyerNoticeKind | null {
  if (movedCents > 0 && after.status !== 'Refunded') return 'order.recharged';
  if (toBuyerStatus(after.status) !== toBuyerStatus(before.status))
    return isRejection ? 'order.declined' : statusNotices[after.status];
  if (after.linkUrl !== before.linkUrl) return 'order.link';
  // Removing a comment is not reported.
  return after.adminComments !== before.adminComments && after.adminComments ? 'order.comment' : null;
}
