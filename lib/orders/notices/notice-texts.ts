import type { BuyerNoticeKind, SellerNoticeKind } from '@/db/schema/notices';
import type { orders } from '@/db/schema/orders';
import type { PlacementRole, placements } from '@/db/schema/placements';
import type { LinkChange } from '@/lib/links/watches';
import type { MailKind } from '@/lib/mail/preferences';
import type { NoticeLine } from '@/lib/mail/templates/orders';
import { formatUsd } from '@/lib/money';
import { getGuaranteeEnd, type PlacementAction } from '@/lib/orders/contract';

type Order = typeof orders.$inferSelect;

/** A step of a placement that was carried out. */
export type StepResult = {
  step: {
    action: PlacementAction;
    role: PlacementRole;
    reason?: string;
    note?: string;
    /** Whether the step is part of a save by staff, which mails the buyer about all its changes. */
    isPartOfSave?: boolean;
  };
  /** The order before the step. */
  before: Order;
  /** The order and the placement after the step. */
  order: Order;
  placement: typeof placements.$inferSelect;
  /** The USD cents that the step returned to the buyer, with tax. */
  returnedCents: number;
};

/** What a side is told: the bell shows the kind, and the mail the heading and the lines. */
type Notice<Kind, Mail> = { kind: Kind; mail: Mail; heading: string; lines: NoticeLine[] };
/** `seller-repair` is the mail about a missing link, which cannot be turned off. */
type SellerMail = Extract<MailKind, `seller-${string}` | 'order-dispute'> | 'seller-repair';
export type SellerNotice = Notice<SellerNoticeKind, SellerMail>;
export type BuyerNotice = Notice<BuyerNoticeKind, Extract<MailKind, `order-${string}`>>;
/** The notices of a step. A side without one is told nothing. */
type StepNotices = { seller?: SellerNotice; buyer?: BuyerNotice };

/** Describes a step for the seller and the buyer. */
export const describeNotices = (result: StepResult): StepNotices => notices[result.step.action](result);

const dateTime = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
export const formatDue = (at: Date | null) => (at === null ? 'the due day' : `${dateTime.format(at)} UTC`);

/** The side that acted, as both sides know it. */
const actors: Record<PlacementRole, string> = {
  buyer: 'The buyer',
  seller: 'The seller',
  staff: 'Our team',
  system: 'The marketplace',
};

/** Lists the reason and the note of a step, if any. */
function listReasons({ reason = '', note = '' }: Pick<StepResult['step'], 'reason' | 'note'>): NoticeLine[] {
  if (reason === '' && note === '') return [];
  return [{ text: reason === '' ? 'Note:' : `Reason: ${reason}`, ...(note !== '' && { quote: note }) }];
}

type Line = string | NoticeLine;
const toLine = (line: Line): NoticeLine => (typeof line === 'string' ? { text: line } : line);

/** Creates a notice from its lines. */
export const notice = <Kind extends string, Mail extends string>(
  kind: Kind,
  mail: Mail,
  heading: string,
  lines: readonly Line[],
): Notice<Kind, Mail> => ({ kind, mail, heading, lines: lines.map(toLine) });

/** Describes the end of a placement whose whole charge was returned. */
const ended = (
  { order: { id }, step, returnedCents }: StepResult,
  end: 'expired' | 'declined' | 'cancelled',
  { was, why }: { was: string; why: string },
): StepNotices => ({
  seller: notice(`placement.${end}`, end === 'expired' ? 'seller-offer' : 'seller-order', `Order #${id} ${was}`, [
    why,
    ...listReasons(step),
    'You have nothing left to do.',
  ]),
  buyer: notice(`order.${end}`, 'order-refund', `Order #${id} ${was} and refunded`, [
    why,
    `${formatUsd(returnedCents)} was returned to your wallet.`,
    ...listReasons(step),
  ]),
});

/** Describes a step of a dispute alike for both sides. */
const aboutDispute = (
  event: 'disputed' | 'proposal' | 'dispute_withdrawn',
  heading: string,
  lines: readonly Line[],
): StepNotices => ({
  seller: notice(`placement.${event}`, 'order-dispute', heading, lines),
  buyer: notice(`order.${event}`, 'order-dispute', heading, lines),
});

/** The changes of a link of which the buyer is told also when staff fulfill the order. */
export type ToldChange = Exclude<LinkChange, 'lost' | 'repair_due'>;

const linkTexts: Record<ToldChange, { heading: string; text: string }> = {
  changed: { heading: 'changed', text: 'It differs from your brief, or search engines do not see the page' },
  broken: { heading: 'is missing', text: 'Two checks a day apart did not find it' },
  repaired: { heading: 'is in order again', text: 'The newest check found it' },
};

/**
 * Describes a change of a link for the buyer.
 * @param lines what the seller does; none if staff fulfill the order, who find the link in their list of link checks
 */
export function describeLink(change: ToldChange, id: number, href: string, ...lines: string[]): BuyerNotice {
  const { heading, text } = linkTexts[change];
  const isForStaff = change === 'broken' && lines.length === 0;
  return notice(`order.link_${change}`, 'order-link-check', `The link of order #${id} ${heading}`, [
    { text: `${text}${isForStaff ? '. Our team was notified' : ''}:`, href },
    ...lines,
  ]);
}

/** Formats what returns of the seller's share if a link is not repaired. */
const formatUnripe = ({ placement: { sellerCents, sellerReturnedCents, ripenedCents } }: StepResult) =>
  formatUsd(sellerCents - sellerReturnedCents - ripenedCents);

const notices: Record<PlacementAction, (result: StepResult) => StepNotices> = {
  reminded: ({ order: { id }, placement }) => ({
    seller:
      placement.state === 'offered'
        ? notice('placement.answer_due', 'seller-offer', `Order #${id} expires soon`, [
            `Accept or decline it by ${formatDue(placement.answerDueAt)}. Without an answer, it expires.`,
          ])
        : notice('placement.delivery_due', 'seller-order', `Order #${id} is due soon`, [
            `Publish it and deliver its URL by ${formatDue(placement.deliveryDueAt)}.`,
          ]),
  }),
  became_late: ({ order: { id }, placement }) => ({
    seller: notice('placement.late', 'seller-order', `Order #${id} is late`, [
      `It was due by ${formatDue(placement.deliveryDueAt)}. The buyer can cancel it until you deliver.`,
    ]),
    buyer: notice('order.late', 'order-review', `Order #${id} is late`, [
      `It was due by ${formatDue(placement.deliveryDueAt)}. You can wait, or cancel it for a full refund.`,
    ]),
  }),
  expired: (result) => ended(result, 'expired', { was: 'expired', why: 'The order was not answered in time.' }),
  accepted: ({ order: { id }, placement, step }) => ({
    ...(step.role !== 'seller' && {
      seller: notice('placement.accepted', 'seller-order', `Our team accepted order #${id} for you`, [
        `Publish it and deliver its URL by ${formatDue(placement.deliveryDueAt)}.`,
      ]),
    }),
    buyer: notice('order.accepted', 'order-status', `Order #${id} was accepted`, [
      `The placement is due by ${formatDue(placement.deliveryDueAt)}.`,
    ]),
  }),
  declined: (result) =>
    ended(result, 'declined', {
      was: 'was declined',
      why: `${actors[result.step.role]} declined the order.`,
    }),
  cancelled: (result) =>
    ended(result, 'cancelled', {
      was: 'was canceled',
      why:
        result.step.role === 'system'
          ? 'The order was canceled because it was not delivered in time.'
          : `${actors[result.step.role]} canceled the order.`,
    }),
  delivered: ({ order: { id }, placement, step }) => ({
    ...(step.role !== 'seller' && {
      seller: notice('placement.delivered', 'seller-order', `Our team delivered order #${id} for you`, [
        { text: 'The buyer reviews the page:', href: placement.deliveredUrl },
      ]),
    }),
    buyer: notice('order.delivered', 'order-review', `Order #${id} is published`, [
      { text: 'Review the page:', href: placement.deliveredUrl },
      ...(placement.deliveryReason === ''
        ? [`Approve it or ask for a change by ${formatDue(placement.approveDueAt)}. Without an answer, it is approved.`]
        : [
            {
              text: 'The check did not find the link in order. Reason of the delivery:',
              quote: placement.deliveryReason,
            },
            `Approve it or ask for a change by ${formatDue(placement.approveDueAt)}. Without an answer, it is approved only when a check finds the link in order.`,
          ]),
    ]),
  }),
  guarantee_extended: ({ order: { id }, placement, step }) => ({
    seller: notice('placement.guarantee_extended', 'seller-order', `The guarantee of order #${id} was extended`, [
      `The buyer paid for ${step.note === '1' ? 'one more day' : `${step.note} more days`}. Keep the link in place until ${formatDue(getGuaranteeEnd(placement))}.`,
      'Your share of the price becomes payable at the end of the guarantee.',
    ]),
  }),
  revision_requested: ({ order: { id }, placement, step }) => ({
    seller: notice('placement.revision', 'seller-order', `A change of order #${id} is requested`, [
      ...listReasons(step),
      `Deliver it again by ${formatDue(placement.deliveryDueAt)}.`,
    ]),
  }),
  extension_asked: ({ order: { id }, placement, step }) => ({
    buyer: notice('order.extension_asked', 'order-review', `More days are requested for order #${id}`, [
      `The seller asks for ${placement.extensionDays === 1 ? 'one more calendar day' : `${placement.extensionDays} more calendar days`}. Grant or refuse the request.`,
      ...listReasons({ reason: step.reason }),
    ]),
  }),
  extension_granted: ({ order: { id }, placement, step }) => ({
    seller: notice('placement.extension_granted', 'seller-order', `You have more days for order #${id}`, [
      `The delivery is now due by ${formatDue(placement.deliveryDueAt)}.`,
    ]),
    ...(step.role !== 'buyer' && {
      buyer: notice('order.extension_granted', 'order-status', `Our team granted more days for order #${id}`, [
        `The delivery is now due by ${formatDue(placement.deliveryDueAt)}.`,
      ]),
    }),
  }),
  extension_refused: ({ order: { id }, placement, step }) => ({
    seller: notice('placement.extension_refused', 'seller-order', `More days for order #${id} were refused`, [
      `The delivery is still due by ${formatDue(placement.deliveryDueAt)}.`,
    ]),
    ...(step.role !== 'buyer' && {
      buyer: notice('order.extension_refused', 'order-status', `Our team refused more days for order #${id}`, [
        `The delivery is still due by ${formatDue(placement.deliveryDueAt)}.`,
      ]),
    }),
  }),
  released: ({ order: { id } }) => ({
    buyer: notice('order.released', 'order-review', `You can cancel order #${id}`, [
      'The seller agreed to a cancellation. If you cancel the order, the whole price is refunded.',
    ]),
  }),
  approved: ({ order: { id }, placement, step }) => ({
    seller: notice('placement.approved', 'seller-earning', `Order #${id} was approved`, [
      placement.ripenedCents === placement.sellerCents
        ? `You earned ${formatUsd(placement.sellerCents)}.`
        : `Your share is ${formatUsd(placement.sellerCents)}. ${formatUsd(placement.ripenedCents)} is payable now, and the rest becomes payable while the link stands.`,
    ]),
    buyer: notice('order.approved', 'order-link', `Order #${id} has a live link`, [
      step.role === 'system' ? 'The delivery was approved, because it was not answered in time.' : 'It was approved.',
      { text: 'Its live link:', href: placement.deliveredUrl },
    ]),
  }),
  closed: () => ({}),
  link_changed: ({ order: { id }, placement }) => ({
    seller: notice('placement.link_changed', 'seller-link', `The link of order #${id} changed`, [
      { text: 'It differs from the brief, or search engines do not see the page:', href: placement.deliveredUrl },
      'Nothing becomes payable until it is in order again. Repair it, then report the repair on the order’s page.',
    ]),
    buyer: describeLink('changed', id, placement.deliveredUrl, 'The seller was asked to repair it.'),
  }),
  link_broken: (result) => {
    const { order, placement } = result;
    return {
      seller: notice('placement.link_broken', 'seller-repair', `The link of order #${order.id} is missing`, [
        { text: 'Two checks a day apart did not find it:', href: placement.deliveredUrl },
        placement.state === 'approved'
          ? `Repair it in time, or ${formatUnripe(result)} of your share returns to the buyer. The order’s page shows until when.`
          : 'Repair it, then report the repair on the order’s page.',
      ]),
      buyer: describeLink(
        'broken',
        order.id,
        placement.deliveredUrl,
        placement.state === 'approved'
          ? 'The seller was asked to repair it. Without a repair, part of the price is refunded.'
          : 'The seller was asked to repair it.',
      ),
    };
  },
  link_repaired: ({ order: { id }, placement }) => ({
    seller: notice('placement.link_repaired', 'seller-link', `The link of order #${id} is in order again`, [
      { text: 'The newest check found it:', href: placement.deliveredUrl },
    ]),
    buyer: describeLink('repaired', id, placement.deliveredUrl),
  }),
  repair_due: (result) => ({
    seller: notice('placement.repair_due', 'seller-link', `Two days left to repair order #${result.order.id}`, [
      { text: 'The link is still missing:', href: result.placement.deliveredUrl },
      `Without a repair, ${formatUnripe(result)} of your share returns to the buyer.`,
    ]),
  }),
  lost: ({ order: { id, chargedCents, taxCents }, placement, returnedCents }) => ({
    seller: notice('placement.lost', 'seller-link', `The link of order #${id} was lost`, [
      'It was not repaired in time.',
      `You keep ${formatUsd(placement.ripenedCents)} of ${formatUsd(placement.sellerCents)}.`,
    ]),
    buyer: notice('order.link_lost', 'order-refund', `The link of order #${id} was lost`, [
      'It was not repaired in time.',
      `${formatUsd(returnedCents)} of ${formatUsd(chargedCents + taxCents)} was returned to your wallet.`,
    ]),
  }),
  taken_over: ({ order: { id } }) => ({
    seller: notice('placement.taken_over', 'seller-order', `Our team took over order #${id}`, [
      'You no longer publish this order, and it earns you nothing.',
    ]),
    buyer: notice('order.taken_over', 'order-status', `Our team took over order #${id}`, [
      'Our team publishes it instead of the seller. You have nothing to do.',
    ]),
  }),
  disputed: ({ order: { id }, step }) =>
    aboutDispute('disputed', `A dispute about order #${id} was opened`, [
      `${actors[step.role]} opened a dispute.`,
      ...listReasons(step),
      'Propose a share of the price that returns to the buyer, or write a message.',
    ]),
  proposal_made: ({ order: { id }, step }) =>
    aboutDispute('proposal', `New proposal in the dispute about order #${id}`, [step.note ?? '']),
  dispute_withdrawn: ({ order: { id }, step }) =>
    aboutDispute('dispute_withdrawn', `The dispute about order #${id} was withdrawn`, [
      `${actors[step.role]} withdrew it. The order continues as before.`,
    ]),
  settled: ({ order: { id, chargedCents, taxCents }, placement, step, returnedCents }) => ({
    seller: notice('placement.settled', 'order-dispute', `Order #${id} was settled`, [
      `You keep ${formatUsd(placement.sellerCents - placement.sellerReturnedCents)} of ${formatUsd(placement.sellerCents)}.`,
      ...listReasons(step),
    ]),
    buyer: notice('order.settled', 'order-dispute', `Order #${id} was settled`, [
      `${formatUsd(returnedCents)} of ${formatUsd(chargedCents + taxCents)} was returned to your wallet.`,
      ...listReasons(step),
    ]),
  }),
};
