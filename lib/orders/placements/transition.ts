import { eq } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { type OrderStatus, orders } from '@/db/schema/orders';
import { type PlacementRole, type PlacementState, placementEvents, placements } from '@/db/schema/placements';
import type { AnyActor } from '@/lib/access/actor';
import type { Approval } from '@/lib/approvals/request';
import { AppError } from '@/lib/errors';
import { revokeProofs } from '@/lib/links/passport/proofs';
import { endWatch, startWatch } from '@/lib/links/watches';
import { formatUsd } from '@/lib/money';
import { formatState, isOver, type PlacementAction, transitions } from '@/lib/orders/contract';
import { notifyOfStep } from '@/lib/orders/notices/notify';
import { recordStepEvents } from '@/lib/orders/notices/webhook-events';
import { getReturnedTaxCents } from '@/lib/orders/tax/plan-returns';
import { postOrderTransfers } from '@/lib/orders/tax/post-order-transfers';
import { type AuditEntry, recordAudit } from '@/lib/platform/audit/record';
import { hasContactData } from '@/lib/sites/contact-data';
import { followPlacement } from './changes/follow';
import { getNextActionAt, startClock } from './clocks';
import { getRequestedLink, type LockedPlacement, markContactData } from './lock';
import { planMoney } from './transfers';

type Order = typeof orders.$inferSelect;
type Placement = typeof placements.$inferSelect;

export type Step = {
  action: PlacementAction;
  /** The side for which the actor acts. */
  role: PlacementRole;
  /** The next state, for an action that leads to several. */
  to?: PlacementState;
  reason?: string;
  note?: string;
  /** Further words of the audit entry, which neither side sees. */
  details?: string;
  /** Further columns of the placement that the step sets. */
  set?: Partial<
    Pick<
      Placement,
      | 'approveDueAt'
      | 'deliveredAt'
      | 'deliveredUrl'
      | 'deliveryDueAt'
      | 'deliveryReason'
      | 'extensionAskedAt'
      | 'extensionDays'
      | 'extensionGrantedAt'
      | 'extensionReason'
      | 'extensionRefusedAt'
      | 'guaranteeStartsAt'
      | 'releasedAt'
      | 'remindedAt'
      | 'revisionsUsed'
      | 'wasLate'
    >
  >;
  /** The share that a settlement returns to the buyer, in percent. */
  buyerPercent?: number;
  /** The approved request of a refund above the approval limit. */
  approval?: Approval | undefined;
  /** Whether a further step of the same request follows, whose notifications suffice. */
  isIntermediate?: boolean;
  /** Whether the step is part of a save by staff, which mails the buyer about all its changes. */
  isPartOfSave?: boolean;
};

/**
 * Changes a placement, as the only function that does: checks the step against the table of transitions, starts the
 * clock of the new state, and writes the placement, its event, the order's status and link, the audit entry and the
 * notifications. The transfers come last, so that accounts are locked for the shortest time.
 * @param locked from `lockPlacement`
 * @returns the order and placement after the step, still locked
 * @throws AppError conflict in a state in which the step is not possible; the message names the state
 */
export async function movePlacement(
  tx: Executor,
  actor: AnyActor,
  locked: LockedPlacement,
  step: Step,
): Promise<LockedPlacement> {
  requireState(locked, step.action);
  const { placement: before, brief, rules, now } = locked;
  const to = getNextState(before, step);
  const isMoved = to !== before.state;
  const entered = { ...before, ...step.set, state: to };
  const money = planMoney(actor, locked, to, step);
  const returnedCents = money.returnedCents + (await getReturnedTaxCents(tx, money.transfers));
  const current: Placement = {
    ...entered,
    // A dispute pauses the deadlines.
    ...(isMoved && step.action !== 'dispute_withdrawn' && startClock(entered, rules, now, brief?.notBefore ?? null)),
    ...(isMoved && before.state === 'offered' && { answer: step.action, answerRole: step.role, answeredAt: now }),
    ...money.returned,
    ...money.ripened,
    approvedAt: to === 'approved' ? (before.approvedAt ?? now) : before.approvedAt,
    guaranteeStartsAt:
      to === 'approved' ? (entered.guaranteeStartsAt ?? before.approvedAt ?? now) : entered.guaranteeStartsAt,
    endedAt: isOver(entered) ? now : null,
    clockRetries: 0,
    // A reminder changes nothing on which a user's request is based.
    version: isReminder(step) ? before.version : before.version + 1,
  };
  const placement = { ...current, nextActionAt: getNextActionAt(current, rules, now) };
  const { orderId: _, createdAt: _createdAt, updatedAt: _updatedAt, ...columns } = placement;
  await tx.update(placements).set(columns).where(eq(placements.orderId, before.orderId));
  const order = isMoved ? await updateOrderRow(tx, locked, placement, step) : locked.order;
  await tx.insert(placementEvents).values({
    orderId: order.id,
    action: step.action,
    fromState: before.state,
    toState: to,
    actorId: actor.userId,
    role: step.role,
    reason: step.reason,
    note: step.note,
    returnedCents,
  });
  if (hasContactWords(order, step)) await markContactData(tx, [order.id]);
  const after = { ...locked, order, placement };
  if (!isReminder(step)) await recordAudit(tx, actor, createAuditEntry(locked, after, step, returnedCents));
  if (isMoved) await followLink(tx, before, after, step.set?.deliveredUrl !== undefined);
  const result = { step, before: locked.order, order, placement, returnedCents };
  if (!step.isIntermediate) await notifyOfStep(tx, actor, result);
  await recordStepEvents(tx, result);
  const returns = isMoved ? await followPlacement(tx, actor, after, { from: before.state, role: step.role }) : [];
  await postOrderTransfers(tx, [...money.transfers, ...returns]);
  return after;
}

/** Checks whether buyer or seller gave contact data as the reason. */
const hasContactWords = ({ website, projectTargetUrl }: Order, { role, reason = '', note = '' }: Step) =>
  (role === 'buyer' || role === 'seller') && hasContactData(`${reason}\n${note}`, [website, projectTargetUrl]);

const isReminder = ({ action }: Step) => action === 'reminded' || action === 'became_late';

/**
 * Requires a state from which an action is possible, for verbs with further conditions.
 * @throws AppError conflict, naming the state
 */
export function requireState({ placement: { orderId, state } }: LockedPlacement, action: PlacementAction): void {
  const { from, rule } = transitions[action];
  if (!from.some((one) => one === state))
    throw new AppError('conflict', `Order #${orderId} is ${formatState(state)}: ${rule}.`);
}

function getNextState({ state }: Placement, { action, to }: Step): PlacementState {
  const targets: readonly PlacementState[] = transitions[action].to;
  const target = to ?? targets[0] ?? state;
  if (target !== state && !targets.includes(target))
    throw new RangeError(`The action ${action} does not lead to ${target}.`);
  return target;
}

/** Writes the order's status and live link for a placement that changed its state. */
async function updateOrderRow(
  tx: Executor,
  { order, placement: before }: LockedPlacement,
  placement: Placement,
  { set }: Step,
): Promise<Order> {
  const status = getOrderStatus(order, placement);
  // Later, staff change the link of the order itself.
  const goesLive = before.approvedAt === null && (status === 'Live' || status === 'Completed');
  const liveUrl = goesLive ? placement.deliveredUrl : placement.state === 'closed' ? set?.deliveredUrl : undefined;
  const changes = {
    status,
    linkUrl: liveUrl || order.linkUrl,
    refundCount: status === 'Refunded' ? order.refundCount + 1 : order.refundCount,
    isFulfilledBySeller: placement.state !== 'taken_over',
    version: order.version + 1,
  };
  const [updated] = await tx.update(orders).set(changes).where(eq(orders.id, order.id)).returning();
  return updated ?? { ...order, ...changes };
}

function getOrderStatus(order: Order, placement: Placement): OrderStatus {
  switch (placement.state) {
    case 'offered':
      return 'Pending';
    case 'accepted':
    case 'delivered':
    case 'in_revision':
    case 'disputed':
      return 'Processing';
    case 'approved':
      return 'Live';
    case 'closed':
      return 'Completed';
    case 'declined':
    case 'expired':
    case 'cancelled':
      return 'Refunded';
    case 'settled':
      return placement.sellerReturnedCents + placement.marginReturnedCents === order.chargedCents ? 'Refunded' : 'Live';
    case 'lost':
    case 'taken_over':
      return order.status;
  }
}

/** Creates the audit entry, with the changed fields that the order's history shows, and the placement's state. */
function createAuditEntry(
  before: LockedPlacement,
  after: LockedPlacement,
  { action, reason, details }: Step,
  returnedCents: number,
): AuditEntry {
  const { id } = after.order;
  const [was, is] = [before.placement.state, after.placement.state];
  const parts = [
    was === is ? action.replaceAll('_', ' ') : `placement ${formatState(was)} → ${formatState(is)}`,
    reason ? `reason: ${reason}` : '',
    details ?? '',
    returnedCents > 0 ? `${formatUsd(returnedCents)} returned to the wallet` : '',
  ];
  const pick = (from: LockedPlacement, other: LockedPlacement) => ({
    placement: from.placement.state,
    ...(from.order.status !== other.order.status && { status: from.order.status }),
    ...(from.order.linkUrl !== other.order.linkUrl && { linkUrl: from.order.linkUrl }),
  });
  return {
    action: `placement.${action}`,
    details: `Order #${id}: ${parts.filter(Boolean).join('; ')}.`,
    entityType: 'order',
    entityId: id,
    ...(returnedCents > 0 && { amountCents: returnedCents }),
    before: pick(before, after),
    after: pick(after, before),
  };
}

/**
 * Starts the watch of an order's link.
 * @param placement of a delivery; null for the live link of an order that staff fulfill
 */
export async function watchLink(
  tx: Executor,
  order: Order,
  placement: Pick<Placement, 'sellerId' | 'deliveredUrl'> | null,
  brief: LockedPlacement['brief'],
): Promise<void> {
  const pageUrl = placement?.deliveredUrl ?? order.linkUrl;
  const { siteDomain: siteUrl, ...requested } = getRequestedLink({ order, brief }, pageUrl);
  // An order without a target has no link to look for.
  if (requested.targetUrl === '' || !/^https?:/i.test(pageUrl)) return endWatch(tx, order.id, 'stopped');
  await startWatch(tx, {
    orderId: order.id,
    buyerId: order.accountId,
    projectId: order.projectId,
    sellerId: placement?.sellerId ?? null,
    siteUrl,
    pageUrl,
    ...requested,
  });
}

/**
 * Watches the link of a delivery until the placement is over, and revokes the passports of a link that was not paid for.
 * @param hasNewUrl whether the step set the delivered address
 */
async function followLink(
  tx: Executor,
  before: Placement,
  { order, placement, brief }: LockedPlacement,
  hasNewUrl: boolean,
): Promise<void> {
  const isDelivered = placement.state === 'delivered' && before.state !== 'disputed';
  if (isDelivered || (placement.state === 'approved' && hasNewUrl)) return watchLink(tx, order, placement, brief);
  if (!isOver(placement)) return;
  const reason = getRevocation(placement);
  const isKept = placement.state === 'closed' || (placement.state === 'settled' && reason === null);
  await endWatch(tx, order.id, placement.state === 'lost' ? 'lost' : isKept ? 'over' : 'stopped');
  if (reason) await revokeProofs(tx, order.id, reason);
}

function getRevocation({ state, sellerReturnedCents, marginReturnedCents, sellerCents, marginCents }: Placement) {
  switch (state) {
    case 'declined':
    case 'expired':
    case 'cancelled':
    case 'lost':
      return state;
    case 'settled':
      return sellerReturnedCents + marginReturnedCents === sellerCents + marginCents ? state : null;
    default:
      return null;
  }
}
