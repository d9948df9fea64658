import { and, eq, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { type disputeOutcomes, disputes } from '@/db/schema/disputes';
import type { PlacementRole } from '@/db/schema/placements';
import type { AnyActor } from '@/lib/access/actor';
import type { Approval } from '@/lib/approvals/request';
import { type LockedPlacement, movePlacement } from './move';
import { splitSettlement } from './split';

export type Settlement = {
  /** The share of the charge that returns to the buyer: an integer from 0 to 100. */
  buyerPercent: number;
  /** The side for which the actor acts. */
  role: PlacementRole;
  outcome: Exclude<(typeof disputeOutcomes)[number], 'withdrawn'>;
  /** The reasons, for the buyer and the seller. */
  note?: string;
  approval?: Approval | undefined;
  isPartOfSave?: boolean;
};

/**
 * Ends a placement by a share for the buyer, and its open dispute if there is one.
 * @throws AppError conflict unless it is disputed or approved
 */
export async function settlePlacement(
  tx: Executor,
  actor: AnyActor,
  locked: LockedPlacement,
  { outcome, ...settlement }: Settlement,
): Promise<LockedPlacement> {
  const { buyerPercent, note = '' } = settlement;
  await tx
    .update(disputes)
    .set({
      state: 'settled',
      outcome,
      buyerPercent,
      note,
      returnedCents: splitSettlement(locked.placement, buyerPercent).buyerCents,
      decidedBy: actor.userId,
      decidedAt: locked.now,
      silenceDueAt: null,
      nextActionAt: null,
      version: sql`${disputes.version} + 1`,
    })
    .where(and(eq(disputes.orderId, locked.order.id), eq(disputes.state, 'open')));
  return movePlacement(tx, actor, locked, { ...settlement, action: 'settled' });
}
