import { eq, max, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import type { OrderStatus } from '@/db/schema/orders';
import { type PlacementState, placementEvents } from '@/db/schema/placements';
import type { OrderView } from '@/lib/orders/contract';
import { isReopened } from '@/lib/orders/describe-status';
import { isAboutOrder } from './timeline';

/** A step of an order from the payment to the end of its guarantee. */
export type OrderStep = {
  label: string;
  /** A failed step ends the way, or interrupts it. */
  state: 'done' | 'current' | 'upcoming' | 'failed';
  /** When it was done, in ISO 8601; null if it was not, or if the time is unknown. */
  at: string | null;
  /** Until when it must be done; null for no day. */
  due: { text: string; at: string; isLate: boolean } | null;
};

/** The newest times at which an order came to a step. */
export type StepTimes = {
  /** By the action of the placement's event. */
  events: ReadonlyMap<string, string>;
  /** By the status that staff set; empty for the seller. */
  statuses: ReadonlyMap<string, string>;
};

/** The facts that the views of an order for its buyer, its seller and staff share. */
export type StepFacts = {
  /** Null for the seller, who does not see it. */
  status: OrderStatus | null;
  /** Whether a settlement left the seller something, so that the order counts as delivered. For the seller only. */
  isSettledForSeller?: boolean;
  orderedAt: string;
  /** Whether staff delivered a file. */
  hasFile: boolean;
  hasLiveLink: boolean;
  /** Whether the buyer writes the article, and whether it was uploaded. */
  article: 'missing' | 'uploaded' | null;
  placement: {
    state: PlacementState;
    answerDueAt: string;
    deliveryDueAt: string | null;
    approveDueAt: string | null;
    approvedAt: string | null;
    isLate: boolean;
    guaranteeEndsAt?: string | null | undefined;
    repairDueAt?: string | null | undefined;
  } | null;
};

/** Returns the facts of an order for buyer and staff. @param status as stored, which tells Live from Completed */
export function stepFactsOf(order: OrderView, status: OrderStatus): StepFacts {
  const { createdAt, contentFileName, linkUrl, brief, placement = null } = order;
  return {
    status,
    orderedAt: createdAt,
    hasFile: contentFileName !== null,
    hasLiveLink: linkUrl !== '',
    article: articleOf(brief),
    placement,
  };
}

/** Tells whether the buyer writes the article, and whether it was uploaded. */
export const articleOf = (brief: OrderView['brief']): StepFacts['article'] =>
  brief?.writer === 'buyer' ? (brief.articleFileName === null ? 'missing' : 'uploaded') : null;

type Placement = NonNullable<StepFacts['placement']>;
type Planned = Pick<OrderStep, 'label' | 'at'> & { isDone: boolean; due?: OrderStep['due'] };

/**
 * Reads when an order came to its steps: the events of its placement, and for buyer and staff also the audit log, along
 * the index of the order.
 */
export async function getStepTimes(orderId: number, side: 'buyer' | 'seller' | 'staff'): Promise<StepTimes> {
  const status = sql<string | null>`${auditLogs.after} ->> 'status'`;
  const [events, statuses] = await Promise.all([
    db()
      .select({ name: placementEvents.action, at: max(placementEvents.at) })
      .from(placementEvents)
      .where(eq(placementEvents.orderId, orderId))
      .groupBy(placementEvents.action),
    side === 'seller'
      ? []
      : db()
          .select({ name: status, at: max(auditLogs.timestamp) })
          .from(auditLogs)
          .where(isAboutOrder({ id: orderId }))
          .groupBy(status),
  ]);
  const toMap = (rows: { name: string | null; at: Date | null }[]) =>
    new Map(rows.flatMap(({ name, at }) => (name && at ? [[name, at.toISOString()] as const] : [])));
  return { events: toMap(events), statuses: toMap(statuses) };
}

/** Describes the way of an order: its steps, and how it ended if it did not arrive. */
export function describeSteps(facts: StepFacts, times: StepTimes): OrderStep[] {
  const { status, placement } = facts;
  const isBySeller =
    placement !== null &&
    !(status !== null && (placement.state === 'taken_over' || isReopened(status, placement.state)));
  return isBySeller ? describePlacement(facts, placement, times) : describeStaffWork(facts, times);
}

const ordered = ({ orderedAt }: StepFacts): Planned => ({ label: 'Ordered', isDone: true, at: orderedAt });
const dueBy = (text: string, at: string | null | undefined, isLate = false) => (at ? { text, at, isLate } : null);

/** Lists the steps of an order that a seller fulfills. */
function describePlacement(facts: StepFacts, placement: Placement, { events, statuses }: StepTimes): OrderStep[] {
  const { state, answerDueAt, deliveryDueAt, approveDueAt, approvedAt, isLate, guaranteeEndsAt, repairDueAt } =
    placement;
  const timeOf = (action: string) => events.get(action) ?? null;
  const isPublishing = state === 'accepted' || state === 'in_revision';
  const isAccepted = timeOf('accepted') !== null || !notAccepted.includes(state);
  const isPublished = !isPublishing && (timeOf('delivered') !== null || published.includes(state));
  const isClosed = state === 'closed';
  const planned: Planned[] = [
    ordered(facts),
    {
      ...{ label: 'Accepted', isDone: isAccepted, at: timeOf('accepted') },
      due: state === 'offered' ? dueBy('Answer by', answerDueAt) : null,
    },
    ...(facts.article === null && !facts.hasFile
      ? []
      : [
          {
            label: 'Content',
            isDone: isPublished || (isAccepted && (facts.article !== 'missing' || facts.hasFile)),
            at: null,
          },
        ]),
    {
      ...{ label: 'Published', isDone: isPublished, at: timeOf('delivered') },
      due: isPublishing ? dueBy('Publish by', deliveryDueAt, isLate) : null,
    },
    {
      // A dispute before the approval can be settled in favor of the seller.
      ...{ label: 'Live', isDone: approvedAt !== null || isSettledLive(facts, placement), at: approvedAt },
      due: state === 'delivered' ? dueBy('Review ends', approveDueAt) : null,
    },
    {
      ...{
        label: !guaranteeEndsAt ? 'Completed' : isClosed ? 'Guarantee over' : 'Guarantee',
        isDone: isClosed,
        at: timeOf('closed'),
      },
      due:
        state === 'approved'
          ? (dueBy('Repair by', repairDueAt, isPast(repairDueAt)) ?? dueBy('In guarantee until', guaranteeEndsAt))
          : null,
    },
  ];
  const ends = endsOf(state, timeOf, isSettledLive(facts, placement));
  const refund: Planned[] =
    facts.status === 'Refunded' && ends.length > 0
      ? [{ label: 'Refunded', isDone: true, at: statuses.get('Refunded') ?? null }]
      : [];
  return ends.length > 0 ? endAfter(planned, ends, refund) : toSteps(planned);
}

const notAccepted: readonly PlacementState[] = ['offered', 'declined', 'expired', 'cancelled', 'taken_over'];
const published: readonly PlacementState[] = ['delivered', 'approved', 'closed', 'lost'];
const isPast = (at: string | null | undefined) => Boolean(at) && Date.parse(at ?? '') < Date.now();

type End = Pick<OrderStep, 'label' | 'at'> & { isGood?: boolean };

/** Checks whether a settled placement's link counts as delivered: not everything was returned to the buyer. */
const isSettledLive = ({ status, isSettledForSeller = false }: StepFacts, { state }: Placement): boolean =>
  state === 'settled' && (status === null ? isSettledForSeller : status === 'Live' || status === 'Completed');

const endLabels: Partial<Record<PlacementState, string>> = {
  disputed: 'Disputed',
  settled: 'Settled',
  lost: 'Link lost',
  declined: 'Declined',
  expired: 'Expired',
  cancelled: 'Canceled',
  taken_over: 'Taken over',
};

/** Lists how a placement was interrupted or ended before its guarantee was over. */
function endsOf(state: PlacementState, timeOf: (action: string) => string | null, isSettledLive: boolean): End[] {
  const label = endLabels[state];
  if (!label) return [];
  const disputedAt = state === 'settled' ? timeOf('disputed') : null;
  return [
    ...(disputedAt ? [{ label: 'Disputed', at: disputedAt }] : []),
    { label, at: timeOf(state), isGood: state === 'settled' && isSettledLive },
  ];
}

/** Lists the steps of an order that staff fulfill. */
function describeStaffWork(facts: StepFacts, { statuses }: StepTimes): OrderStep[] {
  const { status, hasFile, hasLiveLink } = facts;
  const timeOf = (name: OrderStatus) => statuses.get(name) ?? null;
  const isFinished = status === 'Live' || status === 'Completed';
  const isEnded = status === 'Rejected' || status === 'Refunded';
  const startedAt = timeOf('Processing');
  const finishedAt = timeOf('Live') ?? timeOf('Completed');
  const isAccepted = status === 'Processing' || isFinished || (isEnded && startedAt !== null);
  const planned: Planned[] = [
    ordered(facts),
    { label: 'Accepted', isDone: isAccepted, at: startedAt },
    // A finished order without a file needed none.
    ...(hasFile || !isFinished ? [{ label: 'Content', isDone: hasFile && isAccepted, at: null }] : []),
    {
      label: isFinished && !hasLiveLink ? 'Completed' : 'Live',
      isDone: isFinished || (isEnded && hasLiveLink),
      at: isFinished || hasLiveLink ? finishedAt : null,
    },
  ];
  if (status === 'Rejected') return endAfter(planned, [{ label: 'Rejected', at: timeOf('Rejected') }]);
  if (status !== 'Refunded') return toSteps(planned);
  const rejectedAt = timeOf('Rejected');
  const refund = { label: 'Refunded', isDone: true, at: timeOf('Refunded') };
  return endAfter(planned, rejectedAt ? [{ label: 'Rejected', at: rejectedAt }] : [], [refund]);
}

/** Marks the first step that is not done as the current one. */
function toSteps(planned: readonly Planned[]): OrderStep[] {
  const current = planned.findIndex(({ isDone }) => !isDone);
  return planned.map(({ label, isDone, at, due = null }, index) => ({
    label,
    state: isDone ? 'done' : index === current ? 'current' : 'upcoming',
    at: isDone ? at : null,
    due: isDone ? null : due,
  }));
}

/** Lists the steps that were done, then how it ended, then what followed from it. */
const endAfter = (planned: readonly Planned[], ends: readonly End[], after: readonly Planned[] = []): OrderStep[] => [
  ...toSteps(planned.filter(({ isDone }) => isDone)),
  ...ends.map(({ label, at, isGood }) => ({
    label,
    state: isGood ? ('done' as const) : ('failed' as const),
    at,
    due: null,
  })),
  ...toSteps(after),
];
