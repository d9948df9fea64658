import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { orderBriefs, type PlacementRole } from '@/db/schema/placements';
import type { AnyActor } from '@/lib/access/actor';
import { startWatch } from '@/lib/links/watches';
import { addToPlacement } from '@/lib/orders/placements/add-to-placement';
import { postponeGuarantee } from '@/lib/orders/placements/ripen';
import { createRipeningTransfers } from '@/lib/orders/placements/transfers';
import { findChargedTaxCents } from '@/lib/orders/tax/get-tax-cents';
import { postOrderTransfers } from '@/lib/orders/tax/post-order-transfers';
import type { Change } from './contract';
import { type LockedChange, moveChange, requireChangeState } from './move';
import { requireChangeable, wantedAfter } from './require-link';
import { createEarningTransfers } from './transfers';

/**
 * Approves a delivered change: its amounts become a part of the order's charge and of the shares of its placement, the
 * brief takes the new link, and the watch compares with it. A link with another `rel` or text than asked is accepted as it
 * is.
 * @throws AppError conflict in another state, and while the order is disputed
 */
export async function approveChange(
  tx: Executor,
  actor: AnyActor,
  locked: LockedChange,
  role: Extract<PlacementRole, 'buyer' | 'system'>,
): Promise<Change> {
  requireChangeState(locked, 'approved');
  const watch = await requireChangeable(tx, locked);
  const { change, placement: before, order } = locked;
  const { sellerCents, marginCents, checkReasons, checkAnchor } = change;
  const { siteDomain: _, ...wanted } = wantedAfter(change, watch);
  const taxCents = await findChargedTaxCents(tx, `change:${change.id}`);
  const added = { chargedCents: sellerCents + marginCents, sellerCents, marginCents, taxCents };
  const grown = await addToPlacement(tx, locked, added);
  const brief = await writeBrief(tx, locked);
  if (before.state === 'approved') await postponeGuarantee(tx, grown);
  const { orderId, buyerId, projectId, sellerId, siteUrl, pageUrl } = watch;
  await startWatch(tx, {
    ...{ orderId, buyerId, projectId, sellerId, siteUrl, pageUrl, ...wanted },
    ...(checkReasons.includes('rel_changed') && { rel: 'any' as const }),
    ...(checkReasons.includes('anchor_changed') && { anchor: checkAnchor }),
  });
  const after = await moveChange(tx, actor, { ...grown, change }, { action: 'approved', role, brief });
  const by = { actorId: actor.userId };
  await postOrderTransfers(tx, [
    ...createEarningTransfers(order, change, by.actorId),
    ...createRipeningTransfers(order, before, grown.placement.ripenedCents, by),
  ]);
  return after.change;
}

/** Writes the new link to the brief. @returns the changed fields for the audit log */
async function writeBrief(tx: Executor, { order, brief, change }: LockedChange) {
  const after = {
    ...(change.targetUrl !== '' && { targetUrl: change.targetUrl }),
    ...(change.anchor !== '' && { anchor: change.anchor }),
  };
  const before = Object.fromEntries(
    Object.keys(after).map((field) => [field, (field === 'anchor' ? brief?.anchor : brief?.targetUrl) ?? '']),
  );
  if (Object.keys(after).length > 0)
    await tx
      .insert(orderBriefs)
      .values({ orderId: order.id, ...after })
      .onConflictDoUpdate({
        target: orderBriefs.orderId,
        set: { ...after, version: sql`${orderBriefs.version} + 1`, updatedAt: sql`now()` },
      });
  return { before, after };
}
