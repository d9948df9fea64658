import type { BuyerNoticeKind, SellerNoticeKind } from '@/db/schema/notices';
import type { orders } from '@/db/schema/orders';
import type { PlacementRole, placements } from '@/db/schema/placements';
import type { MailKind } from '@/lib/mail/preferences';
import type { OrderNews } from '@/lib/mail/templates/orders';
import { formatMoney, walletCurrency } from '@/lib/money';
import type { PlacementAction } from '@/lib/orders/contract';

type AnnouncedStep = {
  action: PlacementAction;
  role: PlacementRole;
  reason?: string;
  note?: string;
  /** Whether the step is part of a save by staff, which mails the buyer about all its changes. */
  isPartOfSave?: boolean;
};

/** The placement after the step, and the USD cents that the step returned to the buyer. */
export type Announced = {
  order: typeof orders.$inferSelect;
  placement: typeof placements.$inferSelect;
  step: AnnouncedStep;
  returnedCents: number;
};

/** `seller-repair` is the mail about a missing link, which cannot be turned off. */
type Mailed = { mail: MailKind | 'seller-repair'; heading: string; news: OrderNews[] };
export type SellerNews = Mailed & { notice: SellerNoticeKind };
export type BuyerNews = Mailed & { notice: BuyerNoticeKind };
/** What each side learns about a step. */
type News = { seller?: SellerNews; buyer?: BuyerNews };

/** Describes a step for the seller and the buyer. A side that is missing learns nothing. */
export const describeStep = (announced: Announced): News => descriptions[announced.step.action](announced);

const usd = (cents: number) => formatMoney(cents, walletCurrency);
const dateTime = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
export const formatDue = (at: Date | null) => (at === null ? 'the due day' : `${dateTime.format(at)} UTC`);

/** The side that acted, as both sides know it. */
const actors: Record<PlacementRole, string> = {
  buyer: 'The buyer',
  seller: 'The seller',
  staff: 'Our team',
  system: 'The marketplace',
};

/** The reason and the words of a step, if any. */
function listReasons({ reason = '', note = '' }: Pick<AnnouncedStep, 'reason' | 'note'>): OrderNews[] {
  if (reason === '' && note === '') return [];
  return [{ text: reason === '' ? 'Note:' : `Reason: ${reason}`, ...(note !== '' && { quote: note }) }];
}

const seller = (
  notice: SellerNoticeKind,
  mail: Extract<MailKind, `seller-${string}` | 'order-dispute'> | 'seller-repair',
  heading: string,
  news: readonly (string | OrderNews)[],
): SellerNews => ({ notice, mail, heading, news: news.map(toNews) });

const buyer = (
  notice: BuyerNoticeKind,
  mail: Extract<MailKind, `order-${string}`>,
  heading: string,
  news: readonly (string | OrderNews)[],
): BuyerNews => ({ notice, mail, heading, news: news.map(toNews) });

const toNews = (news: string | OrderNews): OrderNews => (typeof news === 'string' ? { text: news } : news);

/** The end of a placement whose whole charge was returned. */
const ended = (
  { order: { id }, step, returnedCents }: Announced,
  [ofSeller, ofBuyer]: [SellerNoticeKind, BuyerNoticeKind],
  { was, why }: { was: string; why: string },
  mail: 'seller-offer' | 'seller-order' = 'seller-order',
): News => ({
  seller: seller(ofSeller, mail, `Order #${id} ${was}`, [why, ...listReasons(step), 'You have nothing left to do.']),
  buyer: buyer(ofBuyer, 'order-refund', `Order #${id} ${was} and refunded`, [
    why,
    `${usd(returnedCents)} was returned to your wallet.`,
    ...listReasons(step),
  ]),
});

/** The same news of a dispute for both sides. */
const disputed = (
  [ofSeller, ofBuyer]: [SellerNoticeKind, BuyerNoticeKind],
  heading: string,
  news: readonly (string | OrderNews)[],
): News => ({
  seller: seller(ofSeller, 'order-dispute', heading, news),
  buyer: buyer(ofBuyer, 'order-dispute', heading, news),
});

/** What becomes of the seller's money if a link is not repaired. */
const notRipe = ({ placement: { sellerCents, sellerReturnedCents, ripenedCents } }: Announced) =>
  usd(sellerCents - sellerReturnedCents - ripenedCents);

const descriptions: Record<PlacementAction, (announced: Announced) => News> = {
  reminded: ({ order: { id }, placement }) => ({
    seller:
      placement.state === 'offered'
        ? seller('placement.answer_due', 'seller-offer', `Order #${id} expires soon`, [
            `Accept or decline it by ${formatDue(placement.answerDueAt)}. Without an answer, it expires.`,
          ])
        : seller('placement.delivery_due', 'seller-order', `Order #${id} is due soon`, [
            `Publish it and deliver its URL by ${formatDue(placement.deliveryDueAt)}.`,
          ]),
  }),
  became_late: ({ order: { id }, placement }) => ({
    seller: seller('placement.late', 'seller-order', `Order #${id} is late`, [
      `It was due by ${formatDue(placement.deliveryDueAt)}. The buyer can cancel it until you deliver.`,
    ]),
    buyer: buyer('order.late', 'order-review', `Order #${id} is late`, [
      `It was due by ${formatDue(placement.deliveryDueAt)}. You can wait, or cancel it for a full refund.`,
    ]),
  }),
  expired: (announced) =>
    ended(
      announced,
      ['placement.expired', 'order.expired'],
      { was: 'expired', why: 'The order was not answered in time.' },
      'seller-offer',
    ),
  accepted: ({ order: { id }, placement, step }) => ({
    ...(step.role !== 'seller' && {
      seller: seller('placement.accepted', 'seller-order', `Our team accepted order #${id} for you`, [
        `Publish it and deliver its URL by ${formatDue(placement.deliveryDueAt)}.`,
      ]),
    }),
    buyer: buyer('order.accepted', 'order-status', `Order #${id} was accepted`, [
      `The placement is due by ${formatDue(placement.deliveryDueAt)}.`,
    ]),
  }),
  declined: (announced) =>
    ended(announced, ['placement.declined', 'order.declined'], {
      was: 'was declined',
      why: `${actors[announced.step.role]} declined the order.`,
    }),
  cancelled: (announced) =>
    ended(announced, ['placement.cancelled', 'order.cancelled'], {
      was: 'was canceled',
      why:
        announced.step.role === 'system'
          ? 'The order was canceled because it was not delivered in time.'
          : `${actors[announced.step.role]} canceled the order.`,
    }),
  delivered: ({ order: { id }, placement, step }) => ({
    ...(step.role !== 'seller' && {
      seller: seller('placement.delivered', 'seller-order', `Our team delivered order #${id} for you`, [
        { text: 'The buyer reviews the page:', href: placement.deliveredUrl },
      ]),
    }),
    buyer: buyer('order.delivered', 'order-review', `Order #${id} is published`, [
      { text: 'Review the page:', href: placement.deliveredUrl },
      `Approve it or ask for a change by ${formatDue(placement.approveDueAt)}. Without an answer, it is approved.`,
    ]),
  }),
  revision_requested: ({ order: { id }, placement, step }) => ({
    seller: seller('placement.revision', 'seller-order', `A change of order #${id} is requested`, [
      ...listReasons(step),
      `Deliver it again by ${formatDue(placement.deliveryDueAt)}.`,
    ]),
  }),
  extension_asked: ({ order: { id }, placement, step }) => ({
    buyer: buyer('order.extension_asked', 'order-review', `More days are requested for order #${id}`, [
      `The seller asks for ${placement.extensionDays === 1 ? 'one more day' : `${placement.extensionDays} more days`}. Grant or refuse the request.`,
      ...listReasons({ reason: step.reason }),
    ]),
  }),
  extension_granted: ({ order: { id }, placement, step }) => ({
    seller: seller('placement.extension_granted', 'seller-order', `You have more days for order #${id}`, [
      `The delivery is now due by ${formatDue(placement.deliveryDueAt)}.`,
    ]),
    ...(step.role !== 'buyer' && {
      buyer: buyer('order.extension_granted', 'order-status', `Our team granted more days for order #${id}`, [
        `The delivery is now due by ${formatDue(placement.deliveryDueAt)}.`,
      ]),
    }),
  }),
  extension_refused: ({ order: { id }, placement, step }) => ({
    seller: seller('placement.extension_refused', 'seller-order', `More days for order #${id} were refused`, [
      `The delivery is still due by ${formatDue(placement.deliveryDueAt)}.`,
    ]),
    ...(step.role !== 'buyer' && {
      buyer: buyer('order.extension_refused', 'order-status', `Our team refused more days for order #${id}`, [
        `The delivery is still due by ${formatDue(placement.deliveryDueAt)}.`,
      ]),
    }),
  }),
  released: ({ order: { id } }) => ({
    buyer: buyer('order.released', 'order-review', `You can cancel order #${id}`, [
      'The seller agreed to a cancellation. If you cancel the order, the whole price is refunded.',
    ]),
  }),
  approved: ({ order: { id }, placement, step }) => ({
    seller: seller('placement.approved', 'seller-earning', `Order #${id} was approved`, [
      placement.ripenedCents === placement.sellerCents
        ? `You earned ${usd(placement.sellerCents)}.`
        : `Your share is ${usd(placement.sellerCents)}. ${usd(placement.ripenedCents)} is payable now, and the rest becomes payable while the link stands.`,
    ]),
    buyer: buyer('order.approved', 'order-link', `Order #${id} has a live link`, [
      step.role === 'system' ? 'The delivery was approved, because it was not answered in time.' : 'It was approved.',
      { text: 'Its live link:', href: placement.deliveredUrl },
    ]),
  }),
  closed: () => ({}),
  link_changed: ({ order: { id }, placement }) => ({
    seller: seller('placement.link_changed', 'seller-link', `The link of order #${id} changed`, [
      { text: 'It differs from the brief, or search engines do not see the page:', href: placement.deliveredUrl },
      'Nothing becomes payable until it is in order again. Repair it, then report the repair on the order’s page.',
    ]),
    buyer: buyer('order.link_changed', 'order-link-check', `The link of order #${id} changed`, [
      { text: 'It differs from your brief, or search engines do not see the page:', href: placement.deliveredUrl },
      'The seller was asked to repair it.',
    ]),
  }),
  link_broken: (announced) => {
    const { order, placement } = announced;
    return {
      seller: seller('placement.link_broken', 'seller-repair', `The link of order #${order.id} is missing`, [
        { text: 'Two checks a day apart did not find it:', href: placement.deliveredUrl },
        placement.state === 'approved'
          ? `Repair it in time, or ${notRipe(announced)} of your share returns to the buyer. The order’s page shows until when.`
          : 'Repair it, then report the repair on the order’s page.',
      ]),
      buyer: buyer('order.link_broken', 'order-link-check', `The link of order #${order.id} is missing`, [
        { text: 'Two checks a day apart did not find it:', href: placement.deliveredUrl },
        placement.state === 'approved'
          ? 'The seller was asked to repair it. Without a repair, part of the price is refunded.'
          : 'The seller was asked to repair it.',
      ]),
    };
  },
  link_repaired: ({ order: { id }, placement }) => ({
    seller: seller('placement.link_repaired', 'seller-link', `The link of order #${id} is in order again`, [
      { text: 'The newest check found it:', href: placement.deliveredUrl },
    ]),
    buyer: buyer('order.link_repaired', 'order-link-check', `The link of order #${id} is in order again`, [
      { text: 'The newest check found it:', href: placement.deliveredUrl },
    ]),
  }),
  repair_due: (announced) => ({
    seller: seller('placement.repair_due', 'seller-link', `Two days left to repair order #${announced.order.id}`, [
      { text: 'The link is still missing:', href: announced.placement.deliveredUrl },
      `Without a repair, ${notRipe(announced)} of your share returns to the buyer.`,
    ]),
  }),
  lost: ({ order: { id, chargedCents }, placement, returnedCents }) => ({
    seller: seller('placement.lost', 'seller-link', `The link of order #${id} was lost`, [
      'It was not repaired in time.',
      `You keep ${usd(placement.ripenedCents)} of ${usd(placement.sellerCents)}.`,
    ]),
    buyer: buyer('order.link_lost', 'order-refund', `The link of order #${id} was lost`, [
      'It was not repaired in time.',
      `${usd(returnedCents)} of ${usd(chargedCents)} was returned to your wallet.`,
    ]),
  }),
  taken_over: ({ order: { id } }) => ({
    seller: seller('placement.taken_over', 'seller-order', `Our team took over order #${id}`, [
      'You no longer publish this order, and it earns you nothing.',
    ]),
    buyer: buyer('order.taken_over', 'order-status', `Our team took over order #${id}`, [
      'Our team publishes it instead of the seller. You have nothing to do.',
    ]),
  }),
  disputed: ({ order: { id }, step }) =>
    disputed(['placement.disputed', 'order.disputed'], `A dispute about order #${id} was opened`, [
      `${actors[step.role]} opened a dispute.`,
      ...listReasons(step),
      'Propose a share of the price that returns to the buyer, or write a message.',
    ]),
  proposal_made: ({ order: { id }, step }) =>
    disputed(['placement.proposal', 'order.proposal'], `New proposal in the dispute about order #${id}`, [
      step.note ?? '',
    ]),
  dispute_withdrawn: ({ order: { id }, step }) =>
    disputed(
      ['placement.dispute_withdrawn', 'order.dispute_withdrawn'],
      `The dispute about order #${id} was withdrawn`,
      [`${actors[step.role]} withdrew it. The order continues as before.`],
    ),
  settled: ({ order: { id, chargedCents }, placement, step, returnedCents }) => ({
    seller: seller('placement.settled', 'order-dispute', `Order #${id} was settled`, [
      `You keep ${usd(placement.sellerCents - placement.sellerReturnedCents)} of ${usd(placement.sellerCents)}.`,
      ...listReasons(step),
    ]),
    buyer: buyer('order.settled', 'order-dispute', `Order #${id} was settled`, [
      `${usd(returnedCents)} of ${usd(chargedCents)} was returned to your wallet.`,
      ...listReasons(step),
    ]),
  }),
};
