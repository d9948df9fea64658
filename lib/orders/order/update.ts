import { eq } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { orders } from '@/db/schema/orders';
import type { Transaction } from '@/db/transaction';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { recordEvents } from '@/lib/events/record';
import { revenueAccount, type Transfer, walletAccount } from '@/lib/ledger/post-transfer';
import { revokeProofs } from '@/lib/links/passport/proofs';
import { endWatch } from '@/lib/links/watches';
import { formatUsd, walletCurrency } from '@/lib/money';
import { type AdminOrderDetailsRow, formerStates, isOver, toBuyerStatus } from '@/lib/orders/contract';
import { notifyOfUpdate } from '@/lib/orders/notices/order-notices';
import { orderEvents, refundEvents } from '@/lib/orders/notices/webhook-events';
import { endOpenChange } from '@/lib/orders/placements/changes/follow';
import { findBrief, findPlacement, type LockedPlacement, lockOrder } from '@/lib/orders/placements/lock';
import { requireRefundAllowed, withRefundApproval } from '@/lib/orders/placements/refund-approval';
import { postponeGuarantee } from '@/lib/orders/placements/ripen';
import { getSettledPart } from '@/lib/orders/placements/shares';
import { watchLink } from '@/lib/orders/placements/transition';
import { getReturnedTaxCents } from '@/lib/orders/tax/plan-returns';
import { getRechargedTaxCents, postOrderTransfers } from '@/lib/orders/tax/post-order-transfers';
import { type AuditEntry, recordAudit } from '@/lib/platform/audit/record';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { getAdminOrder, getNetPaidCents } from './queries';
import type { UpdateOrderInput } from './schemas';
import { checkDeskDelivery, type UpdateContext, updateByDesk } from './update-by-desk';

type Order = typeof orders.$inferSelect;

/**
 * Updates an order on behalf of staff. Any status may follow any other. Changing to Refunded credits what the buyer paid,
 * once; changing from Refunded debits it again. Setting a live link without changing the status makes the order Live. The
 * buyer receives one mail about all changes, and one notification. Locks the order's row first and the wallet last. While
 * a seller fulfills the order, a change of the status becomes verbs of the placement (update-by-desk.ts).
 * @throws AppError not_found, forbidden for a refund of the actor's own order, conflict for a stale `version`, for an
 * insufficient wallet balance, and for a refund that was submitted for approval; link_not_in_order for a live link that is
 * delivered for the seller
 */
export async function updateOrder(actor: Actor, id: number, input: UpdateOrderInput): Promise<AdminOrderDetailsRow> {
  // Pages are requested outside of the transaction.
  const delivery = await checkDeskDelivery(actor, id, input);
  return withRefundApproval(actor, () => db().transaction((tx) => updateOrderIn(tx, actor, id, input, { delivery })));
}

/**
 * Updates an order inside the caller's transaction.
 * @param approved the approved request of a refund, with the reason that the buyer reads
 * @throws ApprovalRequired for a refund above the approval limit
 */
export async function updateOrderIn(
  tx: Transaction,
  actor: Actor,
  id: number,
  input: UpdateOrderInput,
  approved: UpdateContext = {},
): Promise<AdminOrderDetailsRow> {
  const order = await lockOrder(tx, id);
  requireVersion(order, input.version, `Order #${id}`);
  return updateLockedOrder(tx, actor, order, await findPlacement(tx, order), input, approved);
}

/**
 * Updates an order that the caller's transaction locked.
 * @param locked the placement of the order, also one that is over; null for none
 * @throws ApprovalRequired for a refund above the approval limit
 */
export async function updateLockedOrder(
  tx: Transaction,
  actor: Actor,
  before: Order,
  locked: LockedPlacement | null,
  input: UpdateOrderInput,
  approved: UpdateContext = {},
): Promise<AdminOrderDetailsRow> {
  const isPlaced = locked !== null && !isOver(locked.placement);
  // The verbs of a placement come first; they return the order after them and the rest of the input.
  const { order, input: changes } = isPlaced
    ? await updateByDesk(tx, actor, locked, input, approved)
    : { order: before, input };
  const after = nextState(order, changes);
  const changed =
    after.status !== order.status || after.linkUrl !== order.linkUrl || after.adminComments !== order.adminComments;
  const { approval } = approved;
  // Its price is no part of the order's charge.
  if (locked && isFinished(order) && !isFinished(after))
    await postOrderTransfers(tx, await endOpenChange(tx, actor, locked, 'staff'));
  const transfer = changed ? await createTransfer(tx, actor, order, after, { locked, approval }) : null;
  const entersRefunded = after.status === 'Refunded' && before.status !== 'Refunded';
  const isRejection = input.isRejection === true && entersRefunded;
  // A refund by a verb, with the transfer of what is left, returns the whole charge.
  const isRefundedByVerb = isPlaced && entersRefunded;
  const transferredCents = transfer ? transfer.amountCents + (await getTaxOf(tx, transfer)) : 0;
  const movedCents = isRefundedByVerb ? order.chargedCents + order.taxCents : transferredCents;
  // A verb that changed the status has notified the buyer.
  const hasNotice = after.status === order.status && toBuyerStatus(order.status) !== toBuyerStatus(before.status);
  await notifyOfUpdate(tx, actor, before, after, { isRejection, movedCents, hasNotice });
  const { adminComments } = changes;
  // The verb required the approval of the whole charge.
  if (transfer?.kind === 'order_refund' && !isRefundedByVerb) {
    const amountCents = transferredCents;
    await requireRefundAllowed(tx, actor, order, { amountCents, isRejection, adminComments, approval });
  }
  if (changed) await saveState(tx, actor, order, after, { transfer, movedCents: transferredCents, isRejection });
  await followLiveLink(tx, order, after, isPlaced ? locked : null);
  // A reopened order is fulfilled by staff.
  const isReopened = order.status === 'Refunded' && after.status !== 'Refunded';
  if (isReopened && locked && formerStates.includes(locked.placement.state))
    await tx.update(orders).set({ isFulfilledBySeller: false }).where(eq(orders.id, order.id));
  return getAdminOrder(order.id, tx);
}

/**
 * Watches the live link of an order that staff set, ends the watch of a link that was removed or paid back, and revokes
 * the passports of an order that was paid back.
 * @param locked the placement before the update; null if staff fulfill the order
 */
async function followLiveLink(
  tx: Executor,
  before: Order,
  after: State,
  locked: LockedPlacement | null,
): Promise<void> {
  const isLive = (state: State) => state.linkUrl !== '' && isFinished(state);
  const { linkUrl } = after;
  if (isLive(after) && (linkUrl !== before.linkUrl || !isLive(before))) {
    if (locked) await postponeGuarantee(tx, locked);
    const delivery = locked && { sellerId: locked.placement.sellerId, deliveredUrl: linkUrl };
    return watchLink(tx, { ...before, linkUrl }, delivery, locked ? locked.brief : await findBrief(tx, before.id));
  }
  if (after.status === 'Refunded' && before.status !== 'Refunded') await revokeProofs(tx, before.id, 'refunded');
  // Without the link of the order, the delivery of an approved placement is still watched.
  if (isLive(after) || !isLive(before) || (locked && after.status !== 'Refunded')) return;
  await endWatch(tx, before.id, 'stopped');
}

type State = Pick<Order, 'status' | 'linkUrl' | 'adminComments'>;

const isFinished = ({ status }: Pick<State, 'status'>) => status === 'Live' || status === 'Completed';

function nextState(order: Order, input: UpdateOrderInput): State {
  const linkUrl = input.linkUrl ?? order.linkUrl;
  const requested = input.status ?? order.status;
  const linkWasSet = linkUrl !== '' && linkUrl !== order.linkUrl;
  // A refunded order keeps its status, because leaving Refunded debits the buyer and must be explicit.
  const becomesLive = linkWasSet && requested === order.status && order.status !== 'Refunded';
  return {
    status: becomesLive ? 'Live' : requested,
    linkUrl,
    adminComments: input.adminComments ?? order.adminComments,
  };
}

async function saveState(
  tx: Executor,
  actor: Actor,
  order: Order,
  after: State,
  { transfer, movedCents, isRejection }: { transfer: Transfer | null; movedCents: number; isRejection: boolean },
): Promise<void> {
  const entersRefunded = after.status === 'Refunded' && order.status !== 'Refunded';
  await tx
    .update(orders)
    .set({
      ...after,
      version: order.version + 1,
      refundCount: entersRefunded ? order.refundCount + 1 : order.refundCount,
    })
    .where(eq(orders.id, order.id));
  const entries = createAuditEntries(order, after, { isRejection: isRejection && entersRefunded, movedCents });
  await recordAudit(tx, actor, ...entries);
  await recordEvents(tx, [
    ...(after.status === order.status && after.linkUrl === order.linkUrl
      ? []
      : orderEvents('order.updated', { ...order, ...after })),
    ...(transfer?.kind === 'order_refund' ? refundEvents(order, movedCents) : []),
  ]);
  if (!transfer) return;
  await postOrderTransfers(tx, [transfer]).catch((thrown: unknown) => {
    throw transfer.kind === 'order_recharge' ? toRechargeError(order.id, thrown) : thrown;
  });
}

/** Returns the tax that is posted with a refund, or with a payment after a reversed one, in USD cents. */
const getTaxOf = (tx: Executor, transfer: Transfer): Promise<number> =>
  transfer.kind === 'order_refund' ? getReturnedTaxCents(tx, [transfer]) : getRechargedTaxCents(tx, transfer);

/** Builds the transfer that a change of status requires, based on the amount paid by the ledger; null for none. */
async function createTransfer(
  tx: Executor,
  actor: Actor,
  order: Order,
  after: State,
  { locked, approval }: Pick<UpdateContext, 'approval'> & { locked: LockedPlacement | null },
): Promise<Transfer | null> {
  const was = order.status === 'Refunded';
  const is = after.status === 'Refunded';
  if (was === is) return null;
  const paidCents = await getNetPaidCents(tx, order.id);
  // A reversed refund charges the price again without the part that a settlement returned.
  const owedCents = order.chargedCents - getSettledPart(order.chargedCents, locked?.placement);
  const amountCents = is ? paidCents : owedCents - paidCents;
  if (amountCents <= 0) return null;
  const wallet = walletAccount(order.accountId);
  const count = is ? order.refundCount + 1 : order.refundCount;
  const common = {
    amountCents,
    currency: walletCurrency,
    orderId: order.id,
    actorId: approval?.requestedBy ?? actor.userId,
    method: 'Wallet',
    ...(approval && { meta: { approvalId: approval.id, approvedBy: actor.userId } }),
  };
  const what = `#${order.id}: ${order.website || order.packageName}`;
  return is
    ? {
        ...common,
        key: `refund:${order.id}:${count}`,
        kind: 'order_refund',
        from: revenueAccount,
        to: wallet,
        note: `Refund of order ${what}`,
      }
    : {
        ...common,
        key: `recharge:${order.id}:${count}`,
        kind: 'order_recharge',
        from: wallet,
        to: revenueAccount,
        note: `Reversed refund of order ${what}`,
      };
}

function toRechargeError(id: number, thrown: unknown): unknown {
  if (!(thrown instanceof AppError) || thrown.code !== 'insufficient_funds') return thrown;
  return new AppError(
    'conflict',
    `Order #${id} stays Refunded: the buyer has spent the refund, and the wallet balance is below the price of the order.`,
  );
}

/**
 * Builds the audit entries of an update: one, or two if the order is rejected and refunded at once. `before` and `after`
 * hold only the changed fields; the order's history is read from them.
 * @param movedCents USD cents refunded or charged again, with tax; 0 for none
 */
function createAuditEntries(
  before: State & { id: number },
  after: State,
  { isRejection, movedCents }: { isRejection: boolean; movedCents: number },
): AuditEntry[] {
  const steps: State[] =
    isRejection && before.status !== 'Rejected' ? [{ ...after, status: 'Rejected' }, after] : [after];
  let from: State = before;
  return steps.map((to) => {
    const entry = createAuditEntry(before.id, from, to, movedCents);
    from = to;
    return entry;
  });
}

function createAuditEntry(id: number, from: State, to: State, movedCents: number): AuditEntry {
  const entersRefunded = to.status === 'Refunded' && from.status !== 'Refunded';
  const leavesRefunded = from.status === 'Refunded' && to.status !== 'Refunded';
  const money = formatUsd(movedCents);
  const parts = [
    to.status !== from.status ? `status ${from.status} → ${to.status}` : '',
    entersRefunded && movedCents > 0 ? `${money} returned to the wallet` : '',
    leavesRefunded && movedCents > 0 ? `${money} taken from the wallet again` : '',
    to.linkUrl !== from.linkUrl ? (to.linkUrl ? `live link ${to.linkUrl}` : 'live link removed') : '',
    to.adminComments !== from.adminComments ? (to.adminComments ? 'comments changed' : 'comments removed') : '',
  ];
  const moves = entersRefunded || leavesRefunded;
  return {
    action: entersRefunded ? 'order.refunded' : leavesRefunded ? 'order.recharged' : 'order.updated',
    details: `Order #${id}: ${parts.filter(Boolean).join('; ')}.`,
    entityType: 'order',
    entityId: id,
    ...(moves && movedCents > 0 && { amountCents: movedCents }),
    before: pickChanges(from, to),
    after: pickChanges(to, from),
  };
}

/** Returns the fields of a state that differ in the other. */
function pickChanges(state: State, other: State): Partial<State> {
  return {
    ...(state.status !== other.status && { status: state.status }),
    ...(state.linkUrl !== other.linkUrl && { linkUrl: state.linkUrl }),
    ...(state.adminComments !== other.adminComments && { adminComments: state.adminComments }),
  };
}
