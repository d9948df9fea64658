import { createElement } from 'react';
import type { Executor } from '@/db/client';
import type { orders } from '@/db/schema/orders';
import type { AnyActor } from '@/lib/access/actor';
import { type MailAccount, type MailContent, queueMail } from '@/lib/mail/compose';
import { isMailKind } from '@/lib/mail/preferences';
import { findMailRecipient, listAccountRecipients, type MailRecipient } from '@/lib/mail/recipients';
import { OrderChangedMail } from '@/lib/mail/templates/orders';
import { formatUsd } from '@/lib/money';
import { createNotification, notifyAccount } from '@/lib/notifications/notifications';
import {
  type BuyerNotice,
  describeLink,
  describeNotices,
  formatDue,
  type SellerNotice,
  type StepResult,
  type ToldChange,
} from './notice-texts';

type Order = typeof orders.$inferSelect;

/** Formats the order of a notice: "Order #12, example.com". */
export const formatOrderSubject = ({
  id,
  website,
  packageName,
}: Pick<Order, 'id' | 'website'> & { packageName?: string }): string =>
  `Order #${id}, ${website.replace(/^https?:\/\//i, '') || packageName}`;

/** Formats the order of a mail to the buyer. The buyer's project is not shown to the seller. */
export const formatItem = ({ website, packageName, projectDomain }: Order): string =>
  `${website || packageName}, for ${projectDomain}`;

/** Notifies the seller and the buyer of a step by bell and mail, except the user who made it. */
export async function notifyOfStep(tx: Executor, actor: AnyActor, result: StepResult): Promise<void> {
  const { seller, buyer } = describeNotices(result);
  const { order, placement, step } = result;
  if (seller) await notifySeller(tx, actor, { order, placement }, seller);
  if (!buyer || isReplacedBySave(result)) return;
  if (step.isPartOfSave) await notifyBuyerByBell(tx, actor, order, buyer.kind);
  else await notifyBuyer(tx, actor, order, buyer);
}

/**
 * Checks whether a save by staff continues with the status of the order itself, of which it notifies the buyer instead:
 * a placement is taken over only to be rejected there, and settled below the whole price only to be refunded.
 */
const isReplacedBySave = ({ step: { action, isPartOfSave }, order: { status } }: StepResult): boolean =>
  isPartOfSave === true && (action === 'taken_over' || (action === 'settled' && status !== 'Refunded'));

/** Notifies the buyer about the link of an order that staff fulfill. */
export const notifyOfLink = (tx: Executor, actor: AnyActor, order: Order, change: ToldChange): Promise<void> =>
  notifyBuyer(tx, actor, order, describeLink(change, order.id, order.linkUrl));

/** Notifies the seller of a placement by bell and mail. */
export const notifySeller = async (
  tx: Executor,
  actor: AnyActor,
  { order, placement }: Pick<StepResult, 'order' | 'placement'>,
  notice: SellerNotice,
) => {
  const { sellerId } = placement;
  if (sellerId === actor.userId) return;
  await createNotification(tx, actor, {
    userId: sellerId,
    kind: notice.kind,
    subject: formatOrderSubject(order),
    orderId: order.id,
  });
  const recipient = await findMailRecipient(tx, sellerId);
  if (recipient) await mailNotice(tx, order, { ...recipient, userId: sellerId, area: 'seller' }, notice);
};

/** The members of the buyer's account whom news of an order concern. */
export const concernedBy = ({ accountId, projectId }: Pick<Order, 'accountId' | 'projectId'>) =>
  ({ accountId, projectId, right: 'account:orders' }) as const;

/** Lists who is mailed about an order of a buyer. */
export const listOrderRecipients = (tx: Executor, order: Pick<Order, 'accountId' | 'projectId' | 'orderedBy'>) =>
  listAccountRecipients(tx, { ...concernedBy(order), orderedBy: order.orderedBy });

/** Notifies the buyer of an order by bell and mail, except the member who caused it. */
export async function notifyBuyer(tx: Executor, actor: AnyActor, order: Order, notice: BuyerNotice): Promise<void> {
  await notifyBuyerByBell(tx, actor, order, notice.kind);
  for (const recipient of await listOrderRecipients(tx, order))
    if (recipient.userId !== actor.userId) await mailNotice(tx, order, { ...recipient, area: 'user' }, notice);
}

/** Notifies the buyer by bell only, for what a mail about a whole save or a delivered file describes. */
export const notifyBuyerByBell = (tx: Executor, actor: AnyActor, order: Order, kind: BuyerNotice['kind']) =>
  notifyAccount(tx, actor, {
    ...concernedBy(order),
    kind,
    subject: formatOrderSubject(order),
    orderId: order.id,
  });

type Recipient = MailRecipient & { userId: string; area: 'seller' | 'user'; account?: MailAccount | undefined };

async function mailNotice(
  tx: Executor,
  order: Order,
  { userId, email, off, area, account }: Recipient,
  { mail, heading, lines }: SellerNotice | BuyerNotice,
): Promise<void> {
  if (isMailKind(mail) && off.has(mail)) return;
  const path = `/${area}/orders/${order.id}`;
  const what = area === 'seller' ? order.website : formatItem(order);
  await queueMail(tx, {
    kind: mail,
    to: email,
    subject: heading,
    account,
    news: { userId, text: `${heading}, ${order.website || order.packageName}`, path },
    body: (context) => {
      const url = `${context.appUrl}${path}`;
      return createElement(OrderChangedMail, { ...context, heading, what, lines, url, area });
    },
  });
}

type Offer = Pick<StepResult, 'order' | 'placement'>;

/** Lists the notifications of sellers about new orders, one for each order. */
export const listOfferNotices = (offers: readonly Offer[]) =>
  offers.map(({ order, placement }) => ({
    userId: placement.sellerId,
    kind: 'placement.offered' as const,
    subject: formatOrderSubject(order),
    orderId: order.id,
  }));

/** Lists the mails to sellers about new orders, one for each seller. @param recipients by seller */
export function listOfferMails(
  offers: readonly Offer[],
  recipients: ReadonlyMap<string, MailRecipient>,
): MailContent[] {
  const bySeller = new Map<string, Offer[]>();
  for (const offer of offers) {
    const { sellerId } = offer.placement;
    bySeller.set(sellerId, [...(bySeller.get(sellerId) ?? []), offer]);
  }
  return [...bySeller].flatMap(([sellerId, own]) => {
    const recipient = recipients.get(sellerId);
    return recipient && !recipient.off.has('seller-offer') ? [createOfferMail(recipient.email, own)] : [];
  });
}

function createOfferMail(to: string, offers: readonly Offer[]): MailContent {
  const [first] = offers;
  const single = offers.length === 1 ? first?.order : undefined;
  const heading = single ? `New order #${single.id}` : `${offers.length} new orders`;
  const due = first ? formatDue(first.placement.answerDueAt) : '';
  return {
    kind: 'seller-offer',
    to,
    subject: heading,
    body: (context) =>
      createElement(OrderChangedMail, {
        ...context,
        heading,
        what: `Accept or decline by ${due}. Without an answer, ${single ? 'it expires' : 'they expire'}.`,
        lines: offers.map(({ order, placement }) => ({
          text: `Order #${order.id}, ${order.website}: you earn ${formatUsd(placement.sellerCents)}.`,
        })),
        url: `${context.appUrl}/seller/orders${single ? `/${single.id}` : ''}`,
        area: 'seller',
      }),
  };
}
