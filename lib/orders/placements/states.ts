import type { OrderStatus } from '@/db/schema/orders';
import type { PlacementState, placements } from '@/db/schema/placements';

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

/** Whether staff changed the status of an order whose placement is over: the status describes it then. */
export function isReopened(status: OrderStatus, state: PlacementState): boolean {
  switch (state) {
    case 'declined':
    case 'expired':
    case 'cancelled':
      return status !== 'Refunded';
    case 'closed':
      return status !== 'Completed' && status !== 'Live';
    case 'settled':
    case 'lost':
      return status === 'Pending' || status === 'Processing' || status === 'Rejected';
    default:
      return false;
  }
}

/** The states in which a placement can still bring its seller money. */
export const earningStates: readonly PlacementState[] = [
  'offered',
  'accepted',
  'in_revision',
  'delivered',
  'disputed',
  'approved',
];

export const placementTabNames = ['new', 'publish', 'review', 'repair', 'guarantee', 'closed'] as const;
export type PlacementTab = (typeof placementTabNames)[number];

/** The tabs of the seller's queue, with the states that each contains. The tab `repair` depends on the checks of links. */
export const placementTabs: Record<Exclude<PlacementTab, 'repair'>, readonly PlacementState[]> = {
  new: ['offered'],
  publish: ['accepted', 'in_revision'],
  review: ['delivered', 'disputed'],
  guarantee: ['approved'],
  closed: endStates,
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

/** Whether the delivery is overdue. */
export const isLate = ({ state, deliveryDueAt }: Omit<Dates, 'releasedAt'>, now: Date): boolean =>
  toPublish.some((one) => one === state) && deliveryDueAt !== null && deliveryDueAt < now;

/** Whether the buyer can cancel: before the seller accepts, when the delivery is late, and when the seller agreed. */
export const mayBuyerCancel = (placement: Dates, now: Date): boolean =>
  placement.state === 'offered' ||
  isLate(placement, now) ||
  (toPublish.some((one) => one === placement.state) && placement.releasedAt !== null);
