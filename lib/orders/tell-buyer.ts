import { createElement } from 'react';
import type { Executor } from '../../db/client';
import type { orders } from '../../db/schema/orders';
import { type Mail, queueMail } from '../mail/queue';
import { findMailReader } from '../mail/readers';
import { OrderChangedMail } from '../mail/templates/order-changed';
import { OrderDeliveredMail } from '../mail/templates/order-delivered';
import { orderNews } from './order-news';

type Order = typeof orders.$inferSelect;
type State = Pick<Order, 'status' | 'linkUrl' | 'adminComments'>;

const whatOf = ({ website, packageName, projectDomain }: Order) => `${website || packageName}, for ${projectDomain}`;
const addressOf = (appUrl: string, { id }: Order) => `${appUrl}/user/orders?order=${id}`;

/**
 * Queues one mail to the buyer about everything that a save changed and that they want to hear of; none for nothing.
 * In the transaction of the save, so that nobody reads of what did not happen.
 */
export async function tellBuyerOfChange(
  tx: Executor,
  order: Order,
  after: State,
  how: { movedCents: number; isRejection: boolean },
): Promise<void> {
  const all = orderNews(order, after, how);
  if (all.length === 0) return;
  const reader = await findMailReader(tx, order.userId);
  const news = all.filter(({ kind }) => reader !== null && !reader.off.has(kind));
  const [first] = news;
  if (!reader || !first) return;
  const body: Mail['body'] = (context) =>
    createElement(OrderChangedMail, {
      ...context,
      heading: first.heading,
      what: whatOf(order),
      news,
      url: addressOf(context.appUrl, order),
    });
  await queueMail(tx, { kind: first.kind, to: reader.email, subject: first.heading, body });
}

/** Queues the mail about a delivered file, in the transaction that delivers it. */
export async function tellBuyerOfContent(
  tx: Executor,
  order: Order,
  { fileName, isReplacement }: { fileName: string; isReplacement: boolean },
): Promise<void> {
  const reader = await findMailReader(tx, order.userId);
  if (!reader || reader.off.has('order-delivery')) return;
  const heading = isReplacement ? `New content for order #${order.id}` : `The content of order #${order.id} is ready`;
  const body: Mail['body'] = (context) =>
    createElement(OrderDeliveredMail, {
      ...context,
      heading,
      what: whatOf(order),
      fileName,
      isReplacement,
      url: addressOf(context.appUrl, order),
    });
  await queueMail(tx, { kind: 'order-delivery', to: reader.email, subject: heading, body });
}
