import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { linkWatches } from '@/db/schema/links';
import { orderChanges } from '@/db/schema/order-changes';
import { type PlacementRole, placementEvents } from '@/db/schema/placements';
import type { AnyActor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { formatUsd } from '@/lib/money';
import { notifyOfChange } from '@/lib/orders/notices/notify-change';
import { addDays, addHours, addWorkDays } from '@/lib/orders/placements/clocks';
import {
  type LockedPlacement,
  lockPlacement,
  markContactData,
  type PlacementOwner,
} from '@/lib/orders/placements/lock';
import { getReturnedTaxCents } from '@/lib/orders/tax/plan-returns';
import { recordAudit } from '@/lib/platform/audit/record';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { hasContactData } from '@/lib/sites/contact-data';
import { type Change, type ChangeAction, changeSteps, isChangeOver } from './contract';
import { createChangeReturn } from './transfers';

/** An order, its placement and a change of it under lock. */
export type LockedChange = LockedPlacement & { change: Change };

type ChangeRequest = { orderId: number; changeId: string; version?: number | undefined };

/**
 * Locks an order, its placement and then a change of it.
 * @param owner finds only an order of this buyer or a placement of this seller
 * @throws AppError not_found, also for a change of another order or user; conflict for a stale version
 */
export async function lockChange(
  tx: Executor,
  { orderId, changeId, version }: ChangeRequest,
  owner: PlacementOwner = {},
): Promise<LockedChange> {
  const locked = await lockPlacement(tx, orderId, owner);
  const [change] = await tx
    .select()
    .from(orderChanges)
    .where(and(eq(orderChanges.id, changeId), eq(orderChanges.orderId, orderId)))
    .for('no key update');
  if (!change) throw new AppError('not_found', `Order #${orderId} has no such change.`);
  requireVersion(change, version, `The change of order #${orderId}`);
  return { ...locked, change };
}

/** Requires a state from which a step is possible. @throws AppError conflict, naming the state */
export function requireChangeState(
  { change: { orderId, state } }: Pick<LockedChange, 'change'>,
  action: Exclude<ChangeAction, 'asked'>,
): void {
  const { from, rule } = changeSteps[action];
  if (from.includes(state)) return;
  throw new AppError('conflict', `The change of order #${orderId} is ${state}: ${rule}.`);
}

export type ChangeStep = {
  action: ChangeAction;
  /** The side for which the actor acts. */
  role: PlacementRole;
  /** The words of the step. */
  note?: string;
  /** Further columns that the step sets. */
  set?: Partial<
    Pick<
      Change,
      | 'sellerCents'
      | 'marginCents'
      | 'shownTaxCents'
      | 'chargedAt'
      | 'deliveredAt'
      | 'checkVerdict'
      | 'checkReasons'
      | 'checkAnchor'
      | 'checkedAt'
    >
  >;
  /** The tax on the price that the step charges or names, in USD cents. */
  taxCents?: number;
  /** What the audit log says about the brief. */
  brief?: { before: Record<string, string>; after: Record<string, string> };
};

/**
 * Moves a change that its verb allowed: writes it with the clock of its new state, and the order's history, the audit entry,
 * the notices and the events. The caller posts the transfers afterwards.
 */
export async function moveChange(
  tx: Executor,
  actor: AnyActor,
  locked: LockedChange,
  { action, role, note = '', set = {}, brief, ...step }: ChangeStep,
): Promise<LockedChange> {
  const { order, placement, change: before, now } = locked;
  const isOver = isChangeOver({ state: action });
  const isReturned = isOver && action !== 'approved' && before.chargedAt !== null;
  const entered = { ...before, ...set, state: action };
  // A delivery without the link does not prolong the review of the one before.
  const isReviewed = before.state === 'delivered' && entered.checkVerdict !== 'ok';
  const dueAt = isOver ? null : isReviewed ? before.dueAt : getDueAt(entered, locked);
  const change: Change = {
    ...entered,
    sellerNote: role === 'seller' && note !== '' ? note : before.sellerNote,
    dueAt,
    nextActionAt: dueAt,
    returnedAt: isReturned ? now : before.returnedAt,
    endedAt: isOver ? now : null,
    retries: 0,
    version: before.version + 1,
  };
  const { id: _id, orderId: _orderId, createdAt: _createdAt, updatedAt: _updatedAt, ...columns } = change;
  await tx.update(orderChanges).set(columns).where(eq(orderChanges.id, change.id));
  const after = { ...locked, change };
  const returns = isReturned ? createChangeReturn(order, change, actor.userId) : [];
  const taxCents = isReturned ? await getReturnedTaxCents(tx, returns) : (step.taxCents ?? 0);
  const totalCents = change.sellerCents + change.marginCents + taxCents;
  await recordChangeStep(tx, actor, after, { action, role, note, totalCents, isReturned, brief });
  await notifyOfChange(tx, actor, { order, placement, change, action, role, note, taxCents });
  // From now on, checks compare with both links, or with the one before again.
  if (action === 'delivered' || isReturned) await checkSoon(tx, order.id);
  return after;
}

/** Lets the schedule check the link of an order at once. A check under way counts no more. */
async function checkSoon(tx: Executor, orderId: number): Promise<void> {
  await tx
    .update(linkWatches)
    .set({ nextCheckAt: sql`now()`, version: sql`${linkWatches.version} + 1` })
    .where(and(eq(linkWatches.orderId, orderId), isNull(linkWatches.endedAt)));
}

type Recorded = Pick<ChangeStep, 'action' | 'role' | 'brief'> & {
  note: string;
  /** The price with tax, in USD cents, and whether it returns. */
  totalCents: number;
  isReturned: boolean;
};

/** Writes the step of a change to the order's history and the audit log. */
export async function recordChangeStep(
  tx: Executor,
  actor: AnyActor,
  { order, placement, change }: LockedChange,
  { action, role, note, totalCents, isReturned, brief }: Recorded,
): Promise<void> {
  const { state } = placement;
  const returnedCents = isReturned ? totalCents : 0;
  await tx.insert(placementEvents).values({
    orderId: order.id,
    action: `change_${action}`,
    fromState: state,
    toState: state,
    actorId: actor.userId,
    role,
    note,
    returnedCents,
  });
  const isByUser = role === 'buyer' || role === 'seller';
  const own = [order.website, order.projectTargetUrl, change.targetUrl];
  if (isByUser && hasContactData(note, own)) await markContactData(tx, [order.id]);
  const money =
    returnedCents > 0
      ? `; ${formatUsd(returnedCents)} returned to the wallet`
      : action === 'accepted'
        ? `; ${formatUsd(totalCents)} from the wallet`
        : action === 'asked' || action === 'priced'
          ? `; price ${formatUsd(totalCents)}`
          : '';
  await recordAudit(tx, actor, {
    action: `placement.change_${action}`,
    details: `Order #${order.id}: paid change ${action}${money}.`,
    entityType: 'order',
    entityId: order.id,
    ...(returnedCents > 0 && { amountCents: returnedCents }),
    ...brief,
  });
}

/** Returns when a state ends without an answer. */
export function getDueAt({ state }: Pick<Change, 'state'>, { placement, rules, now }: LockedPlacement): Date {
  switch (state) {
    case 'asked':
      return addHours(now, rules.answerHours);
    case 'accepted':
      return addWorkDays(now, placement.turnaroundDays + rules.deliveryGraceDays, rules.dayKind);
    default:
      return addDays(now, rules.approveDays);
  }
}
