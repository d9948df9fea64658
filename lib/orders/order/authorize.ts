import { db, type Executor } from '@/db/client';
import type { Transaction } from '@/db/transaction';
import type { Actor } from '@/lib/access/actor';
import { requireNotOwn, requireOthersAccount } from '@/lib/approvals/request';
import type { AdminOrderDetailsRow, OrderRow } from '@/lib/orders/contract';
import { checkDelivery, type DeliveryCheck } from '@/lib/orders/placements/check-delivery';
import { type ExtendGuaranteeInput, extendGuarantee } from '@/lib/orders/placements/extend-guarantee';
import { acceptOffer, answerExtension, declineOffer, deliverPlacement } from '@/lib/orders/placements/fulfill';
import { type LockedPlacement, lockPlacement, type PlacementOwner } from '@/lib/orders/placements/lock';
import { withRefundApproval } from '@/lib/orders/placements/refund-approval';
import { approveDelivery, cancelPlacement, takeOverPlacement } from '@/lib/orders/placements/review';
import type { StaffPlacementInput } from '@/lib/orders/placements/schemas';
import { withTopUpUrl } from '@/lib/orders/shortage';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { getAdminOrder, getOrder } from './queries';
import { getSellerOrder, type SellerOrderRow } from './seller-queries';

/** A change of a locked placement, in the transaction of the lock. */
type Change = (tx: Transaction, locked: LockedPlacement) => Promise<unknown>;
type Versioned = { version?: number | undefined };

/**
 * Changes a placement of the seller.
 * @param input the version of the placement on which the request is based
 * @throws AppError not_found for a placement of another seller; conflict for a stale version, and as the change
 */
export async function actAsSeller(actor: Actor, id: number, input: Versioned, change: Change): Promise<SellerOrderRow> {
  await lockAndChange(id, { sellerId: actor.userId }, input, change);
  return getSellerOrder(actor, id);
}

/**
 * Changes the placement of an order of the buyer.
 * @throws AppError not_found for an order of another user; conflict for a stale version, for an order without a placement,
 * and as the change
 */
export async function actAsBuyer(actor: Actor, id: number, input: Versioned, change: Change): Promise<OrderRow> {
  await lockAndChange(id, { buyer: actor }, input, change);
  return getOrder(actor, id);
}

/**
 * Extends the guarantee of an order of the buyer. Without a version, that of the arrival counts, so that of two requests
 * at once one pays.
 * @throws AppError insufficient_funds with `url`; and as `actAsBuyer` and `extendGuarantee`
 */
export async function extendAsBuyer(actor: Actor, id: number, input: ExtendGuaranteeInput): Promise<OrderRow> {
  const version = input.version ?? (await getOrder(actor, id)).placement?.version;
  return withTopUpUrl(actor, () =>
    actAsBuyer(actor, id, { version }, (tx, locked) => extendGuarantee(tx, actor, locked, input)),
  );
}

/**
 * Changes a placement on behalf of staff.
 * @throws AppError not_found; forbidden for the actor's own order or site; conflict as `actAsBuyer`, and for a refund that
 * was submitted for approval
 */
export async function actAsStaff(
  actor: Actor,
  id: number,
  input: Versioned,
  change: Change,
): Promise<AdminOrderDetailsRow> {
  await withRefundApproval(actor, () =>
    lockAndChange(id, {}, input, async (tx, locked) => {
      await requireOthersPlacement(tx, actor, locked);
      return change(tx, locked);
    }),
  );
  return getAdminOrder(id);
}

/** Requires the placement of others. @throws AppError forbidden for a placement of the actor's own order or site */
export async function requireOthersPlacement(
  tx: Executor,
  actor: Actor,
  { order, placement }: LockedPlacement,
): Promise<void> {
  await requireOthersAccount(tx, actor, order.accountId, 'act for the other side of your own order');
  requireNotOwn(actor, placement.sellerId, 'act as staff on an order of your own site');
}

async function lockAndChange(id: number, owner: PlacementOwner, { version }: Versioned, change: Change): Promise<void> {
  await db().transaction(async (tx) => {
    const locked = await lockPlacement(tx, id, owner);
    requireVersion(locked.placement, version, `Order #${id}`);
    await change(tx, locked);
  });
}

/**
 * Takes an action of staff on a placement. A page is checked before it is delivered.
 * @throws AppError conflict in a state in which it is not possible; as `deliverPlacement`
 */
export async function takeStaffAction(
  actor: Actor,
  id: number,
  input: StaffPlacementInput,
): Promise<AdminOrderDetailsRow> {
  const { action, url } = input;
  const check = action === 'deliver' && url ? await checkDelivery(actor, id, url, { role: 'staff' }) : null;
  return actAsStaff(actor, id, input, (tx, locked) => takeAction(tx, actor, locked, { ...input, check }));
}

function takeAction(
  tx: Transaction,
  actor: Actor,
  locked: LockedPlacement,
  { action, check, reason }: StaffPlacementInput & { check: DeliveryCheck | null },
): Promise<LockedPlacement> {
  const role = 'staff';
  switch (action) {
    case 'accept':
      return acceptOffer(tx, actor, locked, { role });
    case 'decline':
      return declineOffer(tx, actor, locked, { role, reason });
    case 'deliver':
      if (!check) throw new RangeError('A delivery without a check.');
      return deliverPlacement(tx, actor, locked, { role, check, reason });
    case 'approve':
      return approveDelivery(tx, actor, locked, { role });
    case 'cancel':
      return cancelPlacement(tx, actor, locked, { role, reason });
    case 'takeOver':
      return takeOverPlacement(tx, actor, locked, { reason });
    case 'grantExtension':
    case 'refuseExtension':
      return answerExtension(tx, actor, locked, { role, grant: action === 'grantExtension' });
  }
}
