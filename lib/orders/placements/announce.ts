import { createElement } from 'react';
import type { Executor } from '@/db/client';
import { notices } from '@/db/schema/notices';
import type { AnyActor } from '@/lib/access/actor';
import { queueMail } from '@/lib/mail/compose';
import { isMailKind } from '@/lib/mail/preferences';
import { findMailRecipient } from '@/lib/mail/recipients';
import { OrderChangedMail } from '@/lib/mail/templates/orders';
import { formatMoney, walletCurrency } from '@/lib/money';
import { createNotification } from '@/lib/notifications/notifications';
import { formatOrderSubject } from '@/lib/orders/notify-buyer';
import { type Announced, type BuyerNews, describeStep, formatDue, type SellerNews } from './news';

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

type Order = Announced['order'];
type Recipient = { userId: string; area: 'seller' | 'user'; what: string; news: SellerNews | BuyerNews };

const notify = (tx: Executor, actor: AnyActor, order: Order, { userId, news: { notice } }: Recipient): Promise<void> =>
  createNotification(tx, actor, { userId, kind: notice, subject: formatOrderSubject(order), orderId: order.id });

/** Notifies the buyer of an order without a placement by bell and mail. */
export const sendBuyerNews = (tx: Executor, actor: AnyActor, order: Order, news: BuyerNews): Promise<void> =>
  sendNews(tx, actor, order, {
    userId: order.userId,
    area: 'user',
    what: `${order.website || order.packageName}, for ${order.projectDomain}`,
    news,
  });

async function sendNews(tx: Executor, actor: AnyActor, order: Order, sent: Recipient): Promise<void> {
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
