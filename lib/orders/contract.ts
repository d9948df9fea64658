import { type InferSelectModel, inArray } from 'drizzle-orm';
import type { z } from 'zod';
import type { LinkVerdict } from '@/db/schema/links';
import { type OrderStatus, orderStatuses, orders } from '@/db/schema/orders';
import type { orderBriefs, PlacementState, placements } from '@/db/schema/placements';
import type { orderOptions } from '@/db/schema/site-options';
import { computeTaxCents } from '@/lib/tax/amounts';
import type {
  adminOrderDetailsResponse,
  adminOrderResponse,
  briefResponse,
  extensionResponse,
  orderResponse,
} from './order/schemas';
import { getGuarantee, getSettledPart } from './placements/shares';

/** The name of each state in a sentence, the value of the API where it is one word: "Order #12 is taken over". */
const stateNames: Record<PlacementState, string> = {
  offered: 'offered',
  accepted: 'accepted',
  delivered: 'delivered',
  in_revision: 'in revision',
  disputed: 'disputed',
  approved: 'approved',
  closed: 'closed',
  lost: 'lost',
  settled: 'settled',
  declined: 'declined',
  expired: 'expired',
  cancelled: 'cancelled',
  taken_over: 'taken over',
};

export const formatState = (state: PlacementState): string => stateNames[state];

/** The states that nothing follows: the order then behaves as one without a placement. */
const endStates: readonly PlacementState[] = [
  'declined',
  'expired',
  'cancelled',
  'settled',
  'closed',
  'lost',
  'taken_over',
];

export const isOver = ({ state }: { state: PlacementState }): boolean => endStates.includes(state);

/** The states in which the seller has no part in the order any more: what is written and changed later is not for them. */
export const formerStates: readonly PlacementState[] = ['declined', 'expired', 'cancelled', 'taken_over'];

/** The states in which a placement can still bring its seller money. */
export const earningStates: readonly PlacementState[] = [
  'offered',
  'accepted',
  'in_revision',
  'delivered',
  'disputed',
  'approved',
];

export const placementTabNames = ['new', 'publish', 'review', 'changes', 'repair', 'guarantee', 'closed'] as const;
export type PlacementTab = (typeof placementTabNames)[number];

/**
 * The tabs of the seller's queue, with the states that each contains. The tabs `repair` and `changes` depend on links
 * and paid changes.
 */
export const placementTabs: Record<Exclude<PlacementTab, 'repair' | 'changes'>, readonly PlacementState[]> = {
  new: ['offered'],
  publish: ['accepted', 'in_revision'],
  review: ['delivered', 'disputed'],
  guarantee: ['approved'],
  closed: endStates,
};

/** The tabs of the buyer's list (lib/orders/order/buyer-tabs.ts), besides the one of all orders. */
export const buyerTabNames = ['review', 'waiting', 'late', 'repair', 'changes'] as const;
export type BuyerTab = (typeof buyerTabNames)[number];
export const buyerTabLabels: Record<BuyerTab, string> = {
  review: 'To review',
  waiting: 'Waiting',
  late: 'Late',
  repair: 'To repair',
  changes: 'Paid changes',
};

type Transition = {
  from: readonly PlacementState[];
  /** The next state; several if the caller selects one, and none if the state stays. */
  to: readonly PlacementState[];
  /** Completes the error in another state: "Order #12 is delivered: only an offer can be accepted." */
  rule: string;
};

/** The states in which the seller works on the delivery. */
const toPublish = ['accepted', 'in_revision'] as const;
/** The states in which the link of the newest delivery is checked. */
const withLink = ['delivered', 'in_revision', 'disputed', 'approved'] as const;

/**
 * The steps of a placement, by the action of their event. A step in another state is refused. Further conditions, such as
 * the number of revisions, are checked by the verb of the step.
 */
export const transitions = {
  accepted: { from: ['offered'], to: ['accepted'], rule: 'only an offer can be accepted' },
  declined: { from: ['offered'], to: ['declined'], rule: 'only an offer can be declined' },
  expired: { from: ['offered'], to: ['expired'], rule: 'only an offer expires' },
  cancelled: {
    from: ['offered', 'accepted', 'in_revision', 'delivered'],
    to: ['cancelled'],
    rule: 'it can be canceled only before its delivery is approved',
  },
  delivered: { from: toPublish, to: ['delivered'], rule: 'only an accepted order can be delivered' },
  revision_requested: { from: ['delivered'], to: ['in_revision'], rule: 'only a delivery can be sent back' },
  approved: { from: ['delivered'], to: ['approved'], rule: 'only a delivery can be approved' },
  closed: { from: ['approved'], to: ['closed'], rule: 'only an approved order can be closed' },
  taken_over: {
    from: ['offered', 'accepted', 'in_revision', 'delivered'],
    to: ['taken_over'],
    rule: 'it can be taken over only before its delivery is approved',
  },
  disputed: {
    from: ['delivered', 'in_revision', 'approved'],
    to: ['disputed'],
    rule: 'only a delivered or approved order can be disputed',
  },
  dispute_withdrawn: {
    from: ['disputed'],
    to: ['delivered', 'in_revision', 'approved'],
    rule: 'it has no open dispute',
  },
  settled: {
    from: ['disputed', 'approved'],
    to: ['settled'],
    rule: 'only a disputed or approved order can be settled',
  },
  proposal_made: { from: ['disputed'], to: [], rule: 'it has no open dispute' },
  extension_asked: { from: toPublish, to: [], rule: 'more days can be requested only before the delivery' },
  extension_granted: { from: toPublish, to: [], rule: 'more days can be granted only before the delivery' },
  extension_refused: { from: toPublish, to: [], rule: 'more days can be refused only before the delivery' },
  guarantee_extended: { from: ['approved'], to: [], rule: 'only the guarantee of an approved order can be extended' },
  released: { from: toPublish, to: [], rule: 'a cancellation can be agreed to only before the delivery' },
  reminded: { from: ['offered', ...toPublish], to: [], rule: 'it has no reminder' },
  became_late: { from: toPublish, to: [], rule: 'it is not late' },
  lost: { from: ['approved'], to: ['lost'], rule: 'only the link of an approved order can be lost' },
  link_changed: { from: withLink, to: [], rule: 'it has no link' },
  link_broken: { from: withLink, to: [], rule: 'it has no link' },
  link_repaired: { from: withLink, to: [], rule: 'it has no link' },
  repair_due: { from: withLink, to: [], rule: 'it has no link' },
} as const satisfies Record<string, Transition>;
export type PlacementAction = keyof typeof transitions;

type Dates = Pick<typeof placements.$inferSelect, 'state' | 'deliveryDueAt' | 'releasedAt'>;

/** Checks whether the delivery is overdue. */
export const isLate = ({ state, deliveryDueAt }: Omit<Dates, 'releasedAt'>, now: Date): boolean =>
  toPublish.some((one) => one === state) && deliveryDueAt !== null && deliveryDueAt < now;

/** Checks whether the buyer can cancel: before the seller accepts, when the delivery is late or the seller agreed. */
export const canBuyerCancel = (placement: Dates, now: Date): boolean =>
  placement.state === 'offered' ||
  isLate(placement, now) ||
  (toPublish.some((one) => one === placement.state) && placement.releasedAt !== null);

/** The five statuses shown to buyers. */
export const buyerStatuses = [
  'Pending',
  'Processing',
  'Completed',
  'Rejected',
  'Refunded',
] as const satisfies readonly OrderStatus[];
export type BuyerStatus = (typeof buyerStatuses)[number];

/** Maps a status to the one shown to buyers. Live is shown as Completed, because the live link is shown beside it. */
export function toBuyerStatus(status: OrderStatus): BuyerStatus {
  return status === 'Live' ? 'Completed' : status;
}

/** Lists the statuses that buyers see as the given one; undefined for an unknown status. */
export function listStatusesShownAs(seen: string): OrderStatus[] | undefined {
  const known = buyerStatuses.find((status) => status === seen);
  if (!known) return undefined;
  return known === 'Completed' ? ['Completed', 'Live'] : [known];
}

/** Statuses that count as awaiting delivery. Orders currently use only two of them. */
const namedStatuses = ['Pending', 'In Progress', 'Processing', 'Awaiting Delivery'];
export const awaitingStatuses = orderStatuses.filter((status) => namedStatuses.includes(status));

/** The condition for orders that are awaiting delivery. */
export const isAwaitingDelivery = inArray(orders.status, awaitingStatuses);

/** A placement's row with the dispute to show, and the number of changes that the rules allow. */
export type PlacementRow = InferSelectModel<typeof placements> & {
  disputeId: string | null;
  maxRevisions: number;
  /** The newest check of the link, and its newest passport; null before. */
  linkVerdict: LinkVerdict | null;
  linkCheckedAt: Date | null;
  /** When a link that was confirmed missing is lost. */
  linkRepairDueAt: Date | null;
  proofId: string | null;
};

/** The brief of an order with the file name of its article. */
export type BriefRow = Omit<InferSelectModel<typeof orderBriefs>, 'orderId' | 'createdAt' | 'updatedAt'> & {
  articleFileName: string | null;
};

/** An option of an order, as lists read it. */
export type OptionRow = Pick<
  InferSelectModel<typeof orderOptions>,
  'id' | 'optionId' | 'kind' | 'days' | 'topic' | 'words' | 'chargedCents' | 'sellerCents' | 'isExtension'
> & { createdAt: Date };

/** An order's row with the file name of its current content, its placement, its brief and its options. */
export type OrderRow = InferSelectModel<typeof orders> & {
  contentFileName: string | null;
  placement: PlacementRow | null;
  brief: BriefRow | null;
  options: OptionRow[];
};

/** An order as its buyer sees it. Amounts in major units; the charge in cents. */
export type OrderView = z.output<typeof orderResponse>;

/** The URL of the delivered file under both names that clients read. */
function contentPaths(row: Pick<OrderRow, 'id' | 'contentFileName'>, base: string) {
  const path = row.contentFileName === null ? null : `${base}/${row.id}/content/download`;
  return { contentPath: path, content_path: path };
}

export function orderView(row: OrderRow): OrderView {
  return {
    id: row.id,
    userId: row.accountId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    kind: row.kind,
    website: row.website,
    postType: row.postType,
    packageName: row.packageName,
    packageDesc: row.packageDesc,
    quantity: row.quantity,
    price: row.priceCents / 100,
    currency: row.currency,
    chargedCents: row.chargedCents,
    taxCents: row.taxCents,
    status: row.status,
    linkUrl: row.linkUrl,
    adminComments: row.adminComments,
    projectId: row.projectId,
    projectDomain: row.projectDomain,
    projectTargetUrl: row.projectTargetUrl,
    projectKeywords: row.projectKeywords,
    ...contentPaths(row, '/api/orders'),
    contentFileName: row.contentFileName,
    brief: row.brief && briefView(row.brief),
    placement: row.placement && placementView(row.placement),
    options: row.options.map((option) => ({ ...optionFacts(option), chargedCents: option.chargedCents })),
  };
}

function optionFacts({ id, optionId, kind, days, topic, words, isExtension, createdAt }: OptionRow) {
  return {
    ...{ id, optionId, kind },
    ...(days !== null && { days }),
    ...(topic !== null && { topic }),
    ...(words !== null && { words }),
    ...(isExtension && { isExtension: true as const }),
    createdAt: createdAt.toISOString(),
  };
}

/** Returns an option as the seller sees it: without what the buyer paid. */
export const sellerOptionView = (row: OptionRow) => ({ ...optionFacts(row), earnsCents: row.sellerCents });

export function briefView(row: BriefRow): z.output<typeof briefResponse> {
  const { targetUrl, anchor, writer, words, notes, notBefore, rel, articleFileName, version } = row;
  return { targetUrl, anchor, writer, words, notes, notBefore, rel, articleFileName, version };
}

function placementView(row: PlacementRow): OrderView['placement'] {
  const now = new Date();
  return {
    state: row.state,
    answerDueAt: row.answerDueAt.toISOString(),
    deliveryDueAt: row.deliveryDueAt?.toISOString() ?? null,
    approveDueAt: row.state === 'delivered' ? (row.approveDueAt?.toISOString() ?? null) : null,
    deliveredUrl: row.deliveredUrl || null,
    deliveryReason: row.deliveryReason || null,
    revisionsLeft: Math.max(0, row.maxRevisions - row.revisionsUsed),
    approvedAt: row.approvedAt?.toISOString() ?? null,
    version: row.version,
    disputeId: row.disputeId,
    extension: extensionView(row),
    isLate: isLate(row, now),
    mayCancel: canBuyerCancel(row, now),
    ...linkView(row),
  };
}

/** Returns when the guarantee of a placement ends; null before the approval. */
export const getGuaranteeEnd = (placement: Parameters<typeof getGuarantee>[0]): Date | null =>
  getGuarantee(placement)?.endsAt ?? null;

export function linkView(
  row: PlacementRow,
): Pick<NonNullable<OrderView['placement']>, 'check' | 'guaranteeEndsAt' | 'repairDueAt' | 'proofId'> {
  const { linkVerdict, linkCheckedAt, linkRepairDueAt, proofId } = row;
  return {
    check: linkVerdict && linkCheckedAt && { verdict: linkVerdict, checkedAt: linkCheckedAt.toISOString() },
    guaranteeEndsAt: getGuaranteeEnd(row)?.toISOString() ?? null,
    repairDueAt: linkRepairDueAt?.toISOString() ?? null,
    proofId,
  };
}

export function extensionView(row: PlacementRow): z.output<typeof extensionResponse> {
  if (row.extensionAskedAt === null || row.extensionDays === null) return null;
  return {
    days: row.extensionDays,
    reason: row.extensionReason,
    askedAt: row.extensionAskedAt.toISOString(),
    grantedAt: row.extensionGrantedAt?.toISOString() ?? null,
    refusedAt: row.extensionRefusedAt?.toISOString() ?? null,
  };
}

/** Returns an order as the buyer's screens show it, with the buyer's status. */
export function buyerOrderView(row: OrderRow): OrderView {
  return { ...orderView(row), status: toBuyerStatus(row.status) };
}

/** An order's row with its buyer, its placement and its seller. */
export type AdminOrderRow = OrderRow & {
  userName: string;
  userEmail: string;
  /** The seller of the placement; null without one. */
  sellerName: string | null;
  sellerEmail: string | null;
};

/** An order as staff see it. */
export type AdminOrderView = z.output<typeof adminOrderResponse>;

export function adminOrderView(row: AdminOrderRow): AdminOrderView {
  return {
    ...orderView(row),
    ...contentPaths(row, '/api/admin/orders'),
    options: row.options.map((option) => ({ ...sellerOptionView(option), chargedCents: option.chargedCents })),
    userName: row.userName,
    userEmail: row.userEmail,
    version: row.version,
    ...(row.placement && {
      fulfilledBy: row.isFulfilledBySeller ? ('seller' as const) : ('staff' as const),
      sellerName: row.sellerName ?? '',
      sellerEmail: row.sellerEmail ?? '',
      earnsCents: row.isFulfilledBySeller ? row.placement.sellerCents - row.placement.sellerReturnedCents : 0,
    }),
  };
}

/** An order's row with what its buyer has paid according to the ledger, without what was returned, in USD cents. */
export type AdminOrderDetailsRow = AdminOrderRow & {
  /** Without tax. */
  netPaidCents: number;
  paidTaxCents: number;
  /** The rate at which a payment after a reversed refund is taxed, in hundredths of a percent. */
  rechargeRate: number;
};

/** One order as staff see it, with the money that a change of its status moves. */
export type AdminOrderDetails = z.output<typeof adminOrderDetailsResponse>;

export function adminOrderDetailsView(row: AdminOrderDetailsRow): AdminOrderDetails {
  const { netPaidCents, paidTaxCents, rechargeRate, chargedCents, placement } = row;
  const owedCents = Math.max(0, chargedCents - getSettledPart(chargedCents, placement) - netPaidCents);
  return {
    ...adminOrderView(row),
    netPaidCents: netPaidCents + paidTaxCents,
    rechargeCents: row.status === 'Refunded' ? owedCents + computeTaxCents(owedCents, rechargeRate) : 0,
  };
}
