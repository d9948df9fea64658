import { and, eq, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { type OrderStatus, orders } from '@/db/schema/orders';
import { orderBriefs, type PlacementState, placementEvents, placements } from '@/db/schema/placements';
import { orderOptions } from '@/db/schema/site-options';
import { seesRow } from '@/lib/access/account-roles';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { attachArticles, releaseArticle } from '@/lib/orders/briefs/articles';
import {
  type Brief,
  hasContactNotes,
  requireValidBrief,
  resolveBrief,
  type SaveBriefInput,
} from '@/lib/orders/briefs/schemas';
import { formatState, isOver, type OrderRow } from '@/lib/orders/contract';
import {
  findBrief,
  findPlacement,
  type LockedPlacement,
  lockOrder,
  markContactData,
  orderNotFoundError,
} from '@/lib/orders/placements/lock';
import { requireRel } from '@/lib/orders/spending/require-spend';
import { recordAudit } from '@/lib/platform/audit/record';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { getOrder } from './queries';

type Order = typeof orders.$inferSelect;

/**
 * Replaces the brief of the actor's own order: while the placement is offered, and without a placement while the order is
 * Pending. The placement gets a new version, so that the seller accepts only the brief that the seller has seen.
 * @throws AppError not_found, also for an order of another user and for an article that the actor did not upload;
 * invalid_input; policy for a `rel` that the policy of the account does not allow; conflict in another state and for a
 * stale `version`
 */
export async function saveBrief(actor: Actor, orderId: number, input: SaveBriefInput): Promise<OrderRow> {
  await db().transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!seesRow(actor, order)) throw orderNotFoundError(orderId);
    const locked = await findPlacement(tx, order);
    requireEditable(order, locked);
    const before = locked ? locked.brief : await findBrief(tx, orderId);
    const { version, ...fields } = input;
    requireVersion({ version: before?.version ?? 0 }, version, `The brief of order #${orderId}`);
    requireValidBrief(fields, before?.notBefore ?? null);
    const { articleId = before?.articleId ?? null, ...others } = fields;
    const brief = resolveBrief(order.projectTargetUrl, { ...others, articleId });
    await requirePaidArticle(tx, orderId, brief);
    if (brief.rel !== (before?.rel ?? 'any')) await requireRel(tx, order, brief.rel);
    const changes = listChanges(before, brief);
    if (before && Object.keys(changes.after).length === 0) return;
    await writeBrief(tx, actor, order, before, brief);
    if (hasContactNotes(order, brief)) await markContactData(tx, [orderId]);
    const isOffered = locked !== null && !isOver(locked.placement);
    if (isOffered) await recordEdit(tx, actor, locked);
    await recordAudit(tx, actor, {
      // The room shows the event of a placement instead of entries of the kind `placement`.
      action: isOffered ? 'placement.brief_changed' : 'order.brief_changed',
      details: `Order #${orderId}: brief changed.`,
      entityType: 'order',
      entityId: orderId,
      ...changes,
    });
  });
  return getOrder(actor, orderId);
}

/** Requires a brief that can be changed. @throws AppError conflict, naming the state */
function requireEditable({ id, status }: Order, locked: LockedPlacement | null): void {
  if (isBriefEditable({ status, placement: locked?.placement })) return;
  const state = locked && !isOver(locked.placement) ? formatState(locked.placement.state) : status;
  throw new AppError(
    'conflict',
    `Order #${id} is ${state}: the brief can be changed only until the order is accepted.`,
  );
}

/**
 * Requires that an article for which the publisher is paid by words stays theirs and becomes no longer.
 * @throws AppError invalid_input
 */
async function requirePaidArticle(tx: Executor, orderId: number, { writer, words }: Brief): Promise<void> {
  const [option] = await tx
    .select({ words: orderOptions.words })
    .from(orderOptions)
    .where(and(eq(orderOptions.orderId, orderId), eq(orderOptions.kind, 'writing')));
  if (!option) return;
  const paid = option.words ?? 0;
  const message = `The order includes an article by the publisher of ${paid.toLocaleString('en-US')} words.`;
  const fields = {
    ...(writer !== 'seller' && { writer: message }),
    ...((words ?? paid) > paid && { words: message }),
  };
  if (Object.keys(fields).length > 0) throw new AppError('invalid_input', message, { fields });
}

async function writeBrief(
  tx: Executor,
  actor: Actor,
  { id: orderId }: Order,
  before: LockedPlacement['brief'],
  brief: Brief,
): Promise<void> {
  const { articleId } = brief;
  const isNewArticle = articleId !== null && articleId !== before?.articleId;
  if (isNewArticle) await attachArticles(tx, actor, new Map([[articleId, 'articleId']]));
  await tx
    .insert(orderBriefs)
    .values({ orderId, ...brief })
    .onConflictDoUpdate({
      target: orderBriefs.orderId,
      set: { ...brief, version: sql`${orderBriefs.version} + 1`, updatedAt: sql`now()` },
    });
  if (before?.articleId && before.articleId !== articleId) await releaseArticle(tx, before.articleId);
  await tx.update(orders).set({ updatedAt: new Date() }).where(eq(orders.id, orderId));
}

/** Adds the edit to the room of the order, where the seller sees it. */
async function recordEdit(tx: Executor, { userId }: Actor, { placement }: LockedPlacement): Promise<void> {
  const { orderId, state } = placement;
  await tx
    .update(placements)
    .set({ version: sql`${placements.version} + 1` })
    .where(eq(placements.orderId, orderId));
  await tx
    .insert(placementEvents)
    .values({ orderId, action: 'brief_changed', fromState: state, toState: state, actorId: userId, role: 'buyer' });
}

/** Returns the changed fields for the audit log. */
function listChanges(before: Partial<Brief> | null, after: Brief) {
  const old = new Map(Object.entries(before ?? {}));
  const changed = Object.entries(after).filter(([field, value]) => old.get(field) !== value);
  return {
    before: Object.fromEntries(changed.map(([field]) => [field, old.get(field) ?? null])),
    after: Object.fromEntries(changed),
  };
}

type EditedOrder = { status: OrderStatus; placement?: { state: PlacementState } | null | undefined };

/** Checks whether the buyer can change the brief: while the placement is offered or, without one, the order Pending. */
export const isBriefEditable = ({ status, placement }: EditedOrder): boolean =>
  placement && !isOver(placement) ? placement.state === 'offered' : status === 'Pending';
