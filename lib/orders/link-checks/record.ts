import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { type CheckCause, type LinkVerdict, type linkChecks, linkWatches } from '@/db/schema/links';
import { orders } from '@/db/schema/orders';
import { placements } from '@/db/schema/placements';
import type { Transaction } from '@/db/transaction';
import { systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { recordEvents } from '@/lib/events/record';
import { insertCheck } from '@/lib/links/insert-check';
import type { Judgement } from '@/lib/links/judge-page';
import { addVerdict, endWatch, getNextCheckAt, type LinkChange } from '@/lib/links/watches';
import { isOver, type PlacementAction } from '@/lib/orders/contract';
import { notifyOfLink } from '@/lib/orders/notices/notify';
import { linkEvents } from '@/lib/orders/notices/webhook-events';
import { findPendingChange, isBetter, recordChangeCheck } from '@/lib/orders/placements/changes/check';
import { findPlacement, type LockedPlacement } from '@/lib/orders/placements/lock';
import { ripenPlacement } from '@/lib/orders/placements/ripen';
import { getGuarantee } from '@/lib/orders/placements/shares';
import { movePlacement } from '@/lib/orders/placements/transition';
import { getPlacementRules, type PlacementRules } from '@/lib/settings/placement-rules';

type Watch = typeof linkWatches.$inferSelect;
type Order = typeof orders.$inferSelect;

/** A check of the page that a watch had when it was leased. */
export type Checked = {
  watch: Pick<Watch, 'orderId' | 'pageUrl' | 'targetUrl' | 'nextCause' | 'version'>;
  judgement: Judgement;
  /** The link of a change that may already be online; undefined without one. */
  changed?: { targetUrl: string; judgement: Judgement } | undefined;
  /** The user who requested the check; null for the schedule. */
  actorId: string | null;
};

const actions: Record<LinkChange, PlacementAction> = {
  changed: 'link_changed',
  broken: 'link_broken',
  repaired: 'link_repaired',
  repair_due: 'repair_due',
  lost: 'lost',
};

/**
 * Records a check and does what follows from it, in the caller's transaction: what is payable ripens, both sides learn of
 * a change, and a link that was not repaired is lost. Locks the order first, then its placement and its watch.
 * @returns the recorded check; null if the watch ended or started again during the check, also with the same page
 */
export async function recordCheck(
  tx: Transaction,
  { watch: leased, judgement, changed, actorId }: Checked,
): Promise<typeof linkChecks.$inferSelect | null> {
  const { orderId, pageUrl } = leased;
  const watched = await lockWatch(tx, orderId);
  if (!watched || watched.watch.version !== leased.version) return null;
  // While a change is made or reviewed, the page has either link.
  const change = changed && (await findPendingChange(orderId, tx));
  const pending = change && { ...changed, change };
  const before = { targetUrl: leased.targetUrl, judgement };
  const found = pending && isBetter(pending.judgement, judgement) ? pending : before;
  const check = await insertCheck(tx, {
    ...{ orderId, pageUrl, actorId, cause: leased.nextCause },
    ...{ targetUrl: found.targetUrl, judgement: found.judgement },
  });
  if (pending) await recordChangeCheck(tx, pending.change, pending.judgement, watched.now);
  await applyVerdict(tx, watched, found.judgement.verdict);
  return check;
}

/** `locked` is null for an order that staff fulfill, also after a placement that is over. */
type LockedWatch = {
  order: Order;
  locked: LockedPlacement | null;
  watch: Watch;
  rules: PlacementRules;
  now: Date;
  /** Whether the guarantee is over: the link was changed afterwards, and one check is enough for its passport. */
  isClosed: boolean;
};

/** Locks a watch with its order. @returns null for a watch that ended and for a deleted order, whose watch then ends */
async function lockWatch(tx: Executor, orderId: number): Promise<LockedWatch | null> {
  const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for('no key update');
  if (!order) return null;
  const locked = await findPlacement(tx, order);
  const [row] = await tx
    .select({ watch: linkWatches, now: sql`now()`.mapWith(linkWatches.createdAt) })
    .from(linkWatches)
    .where(and(eq(linkWatches.orderId, orderId), isNull(linkWatches.endedAt)))
    .for('no key update');
  if (!row) return null;
  if (order.deletedAt !== null) {
    await endWatch(tx, orderId, 'stopped');
    return null;
  }
  const rules = locked?.rules ?? (await getPlacementRules(tx));
  // Staff who set another live link start a watch without a seller.
  const isClosed = locked?.placement.state === 'closed' && row.watch.sellerId !== null;
  return { order, locked: locked && !isOver(locked.placement) ? locked : null, ...row, rules, isClosed };
}

async function applyVerdict(tx: Executor, watched: LockedWatch, verdict: LinkVerdict): Promise<void> {
  const { order, locked, watch, rules, now } = watched;
  const actor = systemActor(systemActors.linkChecks, 'job');
  const isAtStake = locked?.placement.state === 'approved';
  const { findings, change } = addVerdict(watch, verdict, isAtStake ? rules.repairDays : null, now);
  // A dispute decides about a link instead of the time for its repair.
  const isLost = change === 'lost' && isAtStake;
  await tx.update(linkWatches).set(findings).where(eq(linkWatches.orderId, order.id));
  let after = locked;
  if (locked && verdict === 'ok') {
    after = await ripenPlacement(tx, actor, locked, watch.notOkSince);
    await resumeApproval(tx, after);
  }
  if (change !== null && (change !== 'lost' || isLost)) {
    // A guarantee that is over closed the placement.
    if (after && !isOver(after.placement))
      after = await movePlacement(tx, actor, after, { action: actions[change], role: 'system' });
    else if (!after && change !== 'lost' && change !== 'repair_due') {
      await notifyOfLink(tx, actor, order, change);
      await recordEvents(tx, linkEvents(`link.${change}`, order, null));
    }
  }
  await schedule(tx, { ...watched, locked: after, watch: { ...watch, ...findings } }, verdict);
}

/** Lets the clock approve a delivery whose time for an answer has passed, now that the link is in order. */
async function resumeApproval(tx: Executor, { placement, now }: LockedPlacement): Promise<void> {
  const { state, approveDueAt, orderId } = placement;
  if (state !== 'delivered' || approveDueAt === null || approveDueAt > now) return;
  await tx.update(placements).set({ nextActionAt: now }).where(eq(placements.orderId, orderId));
}

/** Sets the time of the next check, or ends a watch whose guarantee is over. */
async function schedule(
  tx: Executor,
  { order, locked, watch, rules, now, isClosed }: LockedWatch,
  verdict: LinkVerdict,
): Promise<void> {
  // The step that ended the placement ended its watch.
  if (locked && isOver(locked.placement)) return;
  const guarantee = locked && getGuarantee(locked.placement);
  const days = locked?.placement.guaranteeDays ?? rules.guaranteeDays;
  const endsAt = guarantee?.endsAt ?? new Date(watch.startedAt.getTime() + days * 86_400_000);
  const isEnough = isClosed && verdict !== 'unknown';
  if (!locked && (isEnough || endsAt <= now)) return endWatch(tx, order.id, 'over');
  await tx
    .update(linkWatches)
    .set({
      nextCheckAt: getNextCheckAt(watch, verdict, endsAt, now),
      nextCause: 'schedule' satisfies CheckCause,
      retries: 0,
    })
    .where(and(eq(linkWatches.orderId, order.id), isNull(linkWatches.endedAt)));
}
