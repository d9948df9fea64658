import { createElement } from 'react';
import type { Executor } from '../../../db/client';
import { type NoticeKind, notices } from '../../../db/schema/notices';
import type { orders } from '../../../db/schema/orders';
import type { placements } from '../../../db/schema/placements';
import type { AnyActor } from '../../access/actor';
import { queueMail } from '../../mail/compose';
import type { MailKind } from '../../mail/kinds';
import { findMailRecipient } from '../../mail/recipients';
import { OrderChangedMail, type OrderNews } from '../../mail/templates/orders';
import { formatMoney, walletCurrency } from '../../money';
import { createNotification } from '../../notifications/create';
import type { Step } from './move';
import type { PlacementAction } from './states';

type Order = typeof orders.$inferSelect;
type Placement = typeof placements.$inferSelect;

/** The placement after the step, and the USD cents that the step returned to the buyer. */
type Announced = { order: Order; placement: Placement; step: Step; returnedCents: number };

/** What one side learns about a step. */
type News = OrderNews & { to: 'buyer' | 'seller'; notice: NoticeKind; mail: MailKind; heading: string };

/** Notifies the buyer and the seller of a step by bell and mail, except the user who made it. */
export async function announceStep(tx: Executor, actor: AnyActor, announced: Announced): Promise<void> {
  for (const news of newsOf[announced.step.action](announced)) await sendNews(tx, actor, announced, news);
}

type Offered = Pick<Announced, 'order' | 'placement'>;

/** Notifies sellers of new orders: a notification for each order, and one mail for each seller. */
export async function announceOffers(tx: Executor, offered: readonly Offered[]): Promise<void> {
  await tx.insert(notices).values(
    offered.map(({ order, placement }) => ({
      userId: placement.sellerId,
      kind: 'order.offered' as const,
      subject: formatSubject(order),
    })),
  );
  for (const sellerId of new Set(offered.map(({ placement }) => placement.sellerId))) {
    const own = offered.filter(({ placement }) => placement.sellerId === sellerId);
    const recipient = await findMailRecipient(tx, sellerId);
    const [first] = own;
    if (!recipient || recipient.off.has('seller-order') || !first) continue;
    const single = own.length === 1 ? first.order : undefined;
    const heading = single ? `New order #${single.id}` : `${own.length} new orders`;
    await queueMail(tx, {
      kind: 'seller-order',
      to: recipient.email,
      subject: heading,
      body: (context) =>
        createElement(OrderChangedMail, {
          ...context,
          heading,
          what: `Accept or decline by ${time(first.placement.answerDueAt)}.`,
          news: own.map(({ order, placement }) => ({
            text: `Order #${order.id}, ${order.website}: you earn ${money(placement.sellerCents)}.`,
          })),
          url: `${context.appUrl}/seller/orders${single ? `/${single.id}` : ''}`,
          area: 'seller',
        }),
    });
  }
}

async function sendNews(
  tx: Executor,
  actor: AnyActor,
  { order, placement }: Offered,
  { to, notice, mail, heading, ...news }: News,
): Promise<void> {
  const userId = to === 'buyer' ? order.userId : placement.sellerId;
  if (userId === actor.userId) return;
  await createNotification(tx, actor, { userId, kind: notice, subject: formatSubject(order) });
  const recipient = await findMailRecipient(tx, userId);
  if (!recipient || recipient.off.has(mail)) return;
  await queueMail(tx, {
    kind: mail,
    to: recipient.email,
    subject: heading,
    body: (context) =>
      createElement(OrderChangedMail, {
        ...context,
        heading,
        // The buyer's project is not shown to the seller.
        what: to === 'buyer' ? `${order.website}, for ${order.projectDomain}` : order.website,
        news: [news],
        url:
          to === 'buyer'
            ? `${context.appUrl}/user/orders?order=${order.id}`
            : `${context.appUrl}/seller/orders/${order.id}`,
        area: to === 'buyer' ? 'user' : 'seller',
      }),
  });
}

const formatSubject = ({ id, website }: Order) => `Order #${id}, ${website.replace(/^https?:\/\//i, '')}`;

type Words = OrderNews & { heading: string };

const toSeller = (notice: NoticeKind, words: Words): News => ({
  to: 'seller',
  notice,
  mail: 'seller-order',
  ...words,
});
const toBuyer = (notice: NoticeKind, words: Words, mail: MailKind = 'order-status'): News => ({
  to: 'buyer',
  notice,
  mail,
  ...words,
});

/** The news of a placement that ended with the whole charge returned. */
const toBoth = (notice: NoticeKind, { order, returnedCents }: Announced, was: string, text: string): News[] => [
  toBuyer(
    notice,
    {
      heading: `Order #${order.id} ${was} and refunded`,
      text: `${text} ${money(returnedCents)} was returned to your wallet.`,
    },
    'order-refund',
  ),
  toSeller(notice, { heading: `Order #${order.id} ${was}`, text: `${text} You have nothing left to do.` }),
];

const newsOf: Record<PlacementAction, (announced: Announced) => News[]> = {
  accepted: ({ order: { id }, placement }) => [
    toBuyer('order.accepted', {
      heading: `Order #${id} was accepted`,
      text: `The seller accepted your order and publishes it by ${time(placement.deliveryDueAt)}.`,
    }),
    toSeller('order.accepted', {
      heading: `Order #${id} was accepted for you`,
      text: `Our team accepted this order. Publish it by ${time(placement.deliveryDueAt)}.`,
    }),
  ],
  declined: (announced) =>
    toBoth(
      'order.declined',
      announced,
      'was declined',
      `The order was declined${announced.step.reason ? `: ${announced.step.reason}.` : '.'}`,
    ),
  expired: (announced) => toBoth('order.expired', announced, 'expired', 'The seller did not answer the order in time.'),
  cancelled: (announced) => toBoth('order.cancelled', announced, 'was cancelled', describeCancellation(announced.step)),
  delivered: ({ order: { id }, placement }) => [
    toBuyer('order.delivered', {
      heading: `Order #${id} is published`,
      text: `Check the page, and approve it or request a change by ${time(placement.approveDueAt)}. It is approved then if you do not answer.`,
      href: placement.deliveredUrl,
    }),
    toSeller('order.delivered', {
      heading: `Order #${id} was delivered for you`,
      text: 'Our team entered the address of the page:',
      href: placement.deliveredUrl,
    }),
  ],
  revision_requested: ({ order: { id }, placement, step }) => [
    toSeller('order.revision', {
      heading: `A change of order #${id} was requested`,
      text: `${step.reason}. Change the page and deliver it again by ${time(placement.deliveryDueAt)}.`,
      ...(step.note && { quote: step.note }),
    }),
  ],
  approved: ({ order: { id }, placement }) => [
    toBuyer(
      'order.approved',
      { heading: `Order #${id} has a live link`, text: 'The delivery was approved:', href: placement.deliveredUrl },
      'order-link',
    ),
    toSeller('order.approved', {
      heading: `Order #${id} was approved`,
      text: `You earned ${money(placement.sellerCents)}.`,
    }),
  ],
  closed: () => [],
  taken_over: ({ order: { id } }) => [
    toSeller('order.taken_over', {
      heading: `Order #${id} was taken over`,
      text: 'Our team fulfills this order now. You do not publish it, and it earns nothing.',
    }),
  ],
  disputed: ({ order: { id }, step }) =>
    otherSides(step, 'order.disputed', {
      heading: `Order #${id} is disputed`,
      text: `A dispute was opened: ${step.reason}.`,
      ...(step.note && { quote: step.note }),
    }),
  dispute_withdrawn: ({ order: { id }, step }) =>
    otherSides(step, 'order.dispute_withdrawn', {
      heading: `The dispute of order #${id} was withdrawn`,
      text: 'The order continues as before the dispute.',
    }),
  settled: ({ order: { id, chargedCents }, placement, step, returnedCents }) => {
    const keptCents = placement.sellerCents - placement.sellerReturnedCents;
    const heading = `Order #${id} was settled`;
    const quote = step.note && { quote: step.note };
    return [
      toBuyer(
        'order.settled',
        { heading, text: `${money(returnedCents)} of ${money(chargedCents)} was returned to your wallet.`, ...quote },
        'order-refund',
      ),
      toSeller('order.settled', {
        heading,
        text: `You keep ${money(keptCents)} of ${money(placement.sellerCents)}.`,
        ...quote,
      }),
    ];
  },
  proposal_made: ({ order: { id }, step }) =>
    otherSides(step, 'order.disputed', { heading: `A proposal for order #${id}`, text: step.note ?? '' }),
  extension_asked: ({ order: { id }, placement, step }) => [
    toBuyer('order.extension', {
      heading: `More days requested for order #${id}`,
      text: `The seller asks for ${placement.extensionDays} more days. Grant or refuse them.`,
      ...(step.reason && { quote: step.reason }),
    }),
  ],
  extension_granted: ({ order: { id }, placement }) => [
    toSeller('order.extension_answered', {
      heading: `More days granted for order #${id}`,
      text: `The delivery is now due on ${time(placement.deliveryDueAt)}.`,
    }),
  ],
  extension_refused: ({ order: { id }, placement }) => [
    toSeller('order.extension_answered', {
      heading: `More days refused for order #${id}`,
      text: `The delivery is still due on ${time(placement.deliveryDueAt)}.`,
    }),
  ],
  released: ({ order: { id } }) => [
    toBuyer('order.released', {
      heading: `You can cancel order #${id}`,
      text: 'The seller agreed to a cancellation. The whole charge returns to your wallet if you cancel.',
    }),
  ],
  reminded: ({ order: { id }, placement }) => [
    toSeller(
      'order.due',
      placement.state === 'offered'
        ? {
            heading: `Order #${id} waits for your answer`,
            text: `Accept or decline it by ${time(placement.answerDueAt)}.`,
          }
        : { heading: `Order #${id} is due soon`, text: `Publish it by ${time(placement.deliveryDueAt)}.` },
    ),
  ],
  became_late: ({ order: { id }, placement }) => [
    toSeller('order.late', {
      heading: `Order #${id} is late`,
      text: `It was due on ${time(placement.deliveryDueAt)}. The buyer can cancel it until you deliver.`,
    }),
    toBuyer('order.late', {
      heading: `Order #${id} is late`,
      text: `It was due on ${time(placement.deliveryDueAt)}. You can wait, or cancel it and receive the whole charge.`,
    }),
  ],
};

/** The same news for both sides, without the one that acted. */
const otherSides = ({ role }: Step, notice: NoticeKind, words: Words): News[] => [
  ...(role === 'buyer' ? [] : [toBuyer(notice, words)]),
  ...(role === 'seller' ? [] : [toSeller(notice, words)]),
];

function describeCancellation({ role, reason }: Step): string {
  if (role === 'system') return 'The order was cancelled because its delivery was late.';
  const by = role === 'buyer' ? 'by the buyer' : 'by our team';
  return `The order was cancelled ${by}${reason ? `: ${reason}.` : '.'}`;
}

const money = (cents: number) => formatMoney(cents, walletCurrency);
const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const time = (at: Date | null) => (at === null ? 'the due day' : `${format.format(at)} UTC`);
