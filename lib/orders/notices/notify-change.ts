import type { Executor } from '@/db/client';
import type { ChangeState, orderChanges } from '@/db/schema/order-changes';
import type { orders } from '@/db/schema/orders';
import type { PlacementRole, placements } from '@/db/schema/placements';
import type { AnyActor } from '@/lib/access/actor';
import { recordEvents } from '@/lib/events/record';
import { verdictNames } from '@/lib/links/describe-reason';
import { formatUsd } from '@/lib/money';
import { computeTaxCents } from '@/lib/tax/amounts';
import type { ShownTax } from '@/lib/tax/buyer-tax';
import { type BuyerNotice, formatDue, notice, type SellerNotice } from './notice-texts';
import { notifyBuyer, notifySeller } from './notify';
import { changeEvents, refundEvents } from './webhook-events';

type Result = {
  order: typeof orders.$inferSelect;
  placement: typeof placements.$inferSelect;
  /** The change after the step. */
  change: typeof orderChanges.$inferSelect;
  action: ChangeState;
  role: PlacementRole;
  /** The words of the step. */
  note: string;
  /** The tax on the price, in USD cents: charged or returned by the step, or as it would be charged now. */
  taxCents: number;
};

/** Notifies both sides of a step of a paid change, except the user who made it, and records its events. */
export async function notifyOfChange(tx: Executor, actor: AnyActor, result: Result): Promise<void> {
  const { seller, buyer } = texts[result.action](result);
  if (seller) await notifySeller(tx, actor, result, seller);
  if (buyer) await notifyBuyer(tx, actor, result.order, buyer);
  await recordEvents(tx, [
    ...changeEvents(result.order, result.change),
    ...refundEvents(result.order, isReturned(result) ? totalOf(result) : 0),
  ]);
}

/**
 * Tells the buyer that a change which the seller wants to accept cannot be paid: the wallet does not cover it, it is above
 * a limit of the account, or its tax cannot be decided.
 * @param result with the tax of the buyer today; null while tax is off
 */
export function notifyOfUnpaidChange(
  tx: Executor,
  actor: AnyActor,
  {
    order,
    change,
    tax,
    isAboveLimit,
  }: Pick<Result, 'order' | 'change'> & { tax: ShownTax | null; isAboveLimit: boolean },
): Promise<void> {
  const due = formatDue(change.dueAt);
  const taxCents = tax && 'rate' in tax ? computeTaxCents(totalOf({ change, taxCents: 0 }), tax.rate) : 0;
  const [heading, line] = isAboveLimit
    ? [
        `The change of order #${order.id} is above a limit`,
        `The seller wants to accept the change, which is above a limit of the account. If an owner raises the limit, the seller can accept it by ${due}.`,
      ]
    : tax && 'problem' in tax
      ? [
          `The change of order #${order.id} cannot be paid`,
          `The seller wants to accept the change. ${tax.problem} The seller can accept it by ${due}.`,
        ]
      : [
          `Your wallet does not cover the change of order #${order.id}`,
          `The seller wants to accept the change, which costs ${formatUsd(totalOf({ change, taxCents }))}. Top up your wallet, so that the seller can accept it by ${due}.`,
        ];
  return notifyBuyer(tx, actor, order, notice('order.change_unpaid', 'order-review', heading, [line]));
}

/** The price with tax. */
const totalOf = ({ change, taxCents }: Pick<Result, 'change' | 'taxCents'>) =>
  change.sellerCents + change.marginCents + taxCents;
const isReturned = ({ change, action }: Result) => action !== 'approved' && change.returnedAt !== null;
const quote = (text: string, label: string) => (text === '' ? [] : [{ text: label, quote: text }]);
const returned = (result: Result) =>
  isReturned(result) ? [`${formatUsd(totalOf(result))} was returned to your wallet.`] : ['Nothing was charged.'];

const found = ({ change: { checkVerdict } }: Result) =>
  checkVerdict === null ? [] : [`The check of the page: ${verdictNames[checkVerdict].toLowerCase()}.`];

/** Describes the end of a change for a side. */
const endedForBuyer = (result: Result, how: string, ...reasons: BuyerNotice['lines']): BuyerNotice =>
  notice('order.change_ended', 'order-refund', `The change of order #${result.order.id} ${how}`, [
    ...returned(result),
    ...reasons,
  ]);
const endedForSeller = (result: Result, how: string): SellerNotice =>
  notice('placement.change_ended', 'seller-order', `The change of order #${result.order.id} ${how}`, [
    isReturned(result) && isOnline(result) && result.role !== 'staff'
      ? 'You earn nothing for it. If the page has it already, restore the link as it was before.'
      : 'You have nothing left to do for it.',
  ]);

/** Checks whether the article of an order is still paid for. */
const isOnline = ({ placement: { state } }: Result) => state === 'approved' || state === 'closed';

/** Describes what the buyer can do about a delivery. */
function describeReview({ change: { checkVerdict, dueAt } }: Result): string {
  const due = formatDue(dueAt);
  if (checkVerdict === 'ok') return `Approve it by ${due}. Without an answer, it is approved then.`;
  return checkVerdict === 'unknown'
    ? `Approve it if the page is right. You can withdraw it from ${due} if the checks still cannot tell.`
    : 'Approve it if the page is right, or withdraw it: the money then returns.';
}

const texts: Record<ChangeState, (result: Result) => { seller?: SellerNotice; buyer?: BuyerNotice }> = {
  asked: ({ order: { id }, change }) => ({
    seller: notice('placement.change_asked', 'seller-order', `A paid change of order #${id} is requested`, [
      `You earn ${formatUsd(change.sellerCents)} for it. Accept it, name another price or decline it by ${formatDue(change.dueAt)}.`,
      ...quote(change.text, 'The buyer asks for:'),
    ]),
  }),
  priced: (result) => ({
    buyer: notice('order.change_priced', 'order-review', `The change of order #${result.order.id} has another price`, [
      ...(result.role === 'system' ? ['The seller accepted the change, but its tax rose since you saw it.'] : []),
      `It costs ${formatUsd(totalOf(result))}. Approve the price or withdraw the change by ${formatDue(result.change.dueAt)}.`,
      ...quote(result.note, 'Reason:'),
    ]),
  }),
  accepted: (result) => ({
    seller: notice(
      'placement.change_accepted',
      'seller-order',
      `The buyer agreed to the change of order #${result.order.id}`,
      [
        `You earn ${formatUsd(result.change.sellerCents)}. Change the page and deliver the change by ${formatDue(result.change.dueAt)}.`,
      ],
    ),
    buyer: notice('order.change_accepted', 'order-status', `The change of order #${result.order.id} was accepted`, [
      `${formatUsd(totalOf(result))} was paid from your wallet. The change is due by ${formatDue(result.change.dueAt)}; without a delivery, the money returns.`,
    ]),
  }),
  delivered: (result) => ({
    buyer: notice('order.change_delivered', 'order-review', `The change of order #${result.order.id} is online`, [
      { text: 'Review the page:', href: result.order.linkUrl || result.placement.deliveredUrl },
      ...found(result),
      ...quote(result.note, 'The seller writes:'),
      describeReview(result),
    ]),
  }),
  approved: (result) => ({
    seller: notice(
      'placement.change_approved',
      'seller-earning',
      `The change of order #${result.order.id} was approved`,
      [
        `You earn ${formatUsd(result.change.sellerCents)}. ${result.placement.state === 'closed' ? 'It is payable now.' : 'It becomes payable with the rest of your share, while the link stands.'}`,
      ],
    ),
    buyer: notice('order.change_approved', 'order-link', `The change of order #${result.order.id} was approved`, [
      result.role === 'system' ? 'It was approved, because it was not answered in time.' : 'It was approved.',
      'The link is now checked as it is after the change.',
    ]),
  }),
  declined: (result) => ({
    buyer: endedForBuyer(result, 'was declined', ...quote(result.note, 'Reason:')),
  }),
  withdrawn: (result) => ({ seller: endedForSeller(result, 'was withdrawn') }),
  expired: (result) => {
    const how = result.role === 'system' && isOnline(result) ? 'expired' : 'ended';
    return { seller: endedForSeller(result, how), buyer: endedForBuyer(result, how) };
  },
};
