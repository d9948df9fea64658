import { eq } from 'drizzle-orm';
import { db, type Executor } from '../../db/client';
import { orders } from '../../db/schema/orders';
import { exceedsLimit } from '../approvals/limit';
import { type Approval, ApprovalRequired, requestApproval } from '../approvals/request';
import { requireNotOwn } from '../approvals/require-not-own';
import type { AuditEntry } from '../audit/lines';
import { recordAudit } from '../audit/record';
import type { Actor } from '../auth/actor';
import { AppError } from '../errors';
import { formatMoney, walletCurrency } from '../money';
import { postTransfers, revenueAccount, type Transfer, walletOf } from '../wallet/post-transfer';
import { describeUpdate } from './describe-update';
import { lockOrder } from './lock';
import { netPaidCents } from './net-paid';
import { getAnyOrder } from './queries';
import type { UpdateOrderInput } from './schemas';
import { tellBuyerOfChange } from './tell-buyer';
import type { AdminOrderRow } from './views';

type Order = typeof orders.$inferSelect;

/**
 * Edits an order from the order desk. Any status may follow any other (spec 001, section 4). Entering Refunded credits
 * what the order cost, once; leaving it debits that again (decision 11). A live link set with the status unchanged
 * makes the order Live. The buyer is written to once about all of it. The order's row is locked first and the wallet last.
 * @throws AppError not_found, forbidden for a refund of the actor's own order, conflict for a stale `version`, when the
 * wallet cannot pay an order again, and for a refund that was sent to a second person for approval
 */
export async function updateOrder(actor: Actor, id: number, input: UpdateOrderInput): Promise<AdminOrderRow> {
  try {
    return await db().transaction((tx) => updateOrderIn(tx, actor, id, input));
  } catch (thrown) {
    if (!(thrown instanceof ApprovalRequired)) throw thrown;
    await requestApproval(actor, thrown.request);
    throw new AppError(
      'conflict',
      `${thrown.request.summary} This refund needs a second person: it was sent for approval, and the order stays as it is until then.`,
    );
  }
}

/**
 * The same in a transaction of the caller's.
 * @param approval the approved request of a refund, which needs no other
 * @throws ApprovalRequired for a refund above the limit of one person
 */
export async function updateOrderIn(
  tx: Executor,
  actor: Actor,
  id: number,
  input: UpdateOrderInput,
  approval?: Approval,
): Promise<AdminOrderRow> {
  const order = await lockOrder(tx, id);
  if (input.version !== undefined && input.version !== order.version) {
    throw new AppError(
      'conflict',
      `Order #${id} was changed by somebody else in the meantime. Compare their changes with yours and save again.`,
    );
  }

  const after = nextState(order, input);
  const changed =
    after.status !== order.status || after.linkUrl !== order.linkUrl || after.adminComments !== order.adminComments;
  if (changed) await write(tx, actor, order, after, input.isRejection === true, approval);
  return getAnyOrder(id, tx);
}

type State = Pick<Order, 'status' | 'linkUrl' | 'adminComments'>;

function nextState(order: Order, input: UpdateOrderInput): State {
  const linkUrl = input.linkUrl ?? order.linkUrl;
  const asked = input.status ?? order.status;
  const linkWasSet = linkUrl !== '' && linkUrl !== order.linkUrl;
  // Not out of Refunded: correcting a link must not take money from anybody; that needs a status somebody chose.
  const becomesLive = linkWasSet && asked === order.status && order.status !== 'Refunded';
  return {
    status: becomesLive ? 'Live' : asked,
    linkUrl,
    adminComments: input.adminComments ?? order.adminComments,
  };
}

async function write(
  tx: Executor,
  actor: Actor,
  order: Order,
  after: State,
  isRejection: boolean,
  approval: Approval | undefined,
): Promise<void> {
  const transfer = await moneyFor(tx, actor, order, after, approval);
  if (transfer?.kind === 'order_refund')
    await checkRefund(tx, actor, order, after, { isRejection, transfer, approval });
  const entersRefunded = after.status === 'Refunded' && order.status !== 'Refunded';
  await tx
    .update(orders)
    .set({
      ...after,
      version: order.version + 1,
      refundCount: entersRefunded ? order.refundCount + 1 : order.refundCount,
    })
    .where(eq(orders.id, order.id));
  const how = { isRejection: isRejection && entersRefunded, movedCents: transfer?.amountCents ?? 0 };
  const entries: AuditEntry[] = describeUpdate(order, after, how);
  await recordAudit(tx, actor, ...entries);
  await tellBuyerOfChange(tx, order, after, how);
  if (!transfer) return;
  await postTransfers(tx, [transfer]).catch((thrown: unknown) => {
    throw transfer.kind === 'order_recharge' ? cannotPayAgain(order.id, thrown) : thrown;
  });
}

type Refund = { isRejection: boolean; transfer: Transfer; approval: Approval | undefined };

/** A refund goes to another person's wallet; above the limit a second person has approved exactly this amount. */
async function checkRefund(
  tx: Executor,
  actor: Actor,
  order: Order,
  after: State,
  { isRejection, transfer: { amountCents }, approval }: Refund,
): Promise<void> {
  requireNotOwn(actor, order.userId, 'refund your own order');
  if (approval) {
    if (approval.amountCents === amountCents) return;
    throw new AppError('conflict', `Order #${order.id} has changed since the refund was requested. Request it again.`);
  }
  if (!(await exceedsLimit(tx, actor, 'order_refund', amountCents, order.userId))) return;
  throw new ApprovalRequired({
    kind: 'order_refund',
    subject: `order:${order.id}`,
    payload: { orderId: order.id, amountCents, isRejection, adminComments: after.adminComments },
    summary: `Refund order #${order.id}: ${formatMoney(amountCents, walletCurrency)}.`,
    amountCents,
    beneficiaryId: order.userId,
  });
}

/** The transfer a change of status brings with it, by what the books say was paid, or null. */
async function moneyFor(
  tx: Executor,
  actor: Actor,
  order: Order,
  after: State,
  approval: Approval | undefined,
): Promise<Transfer | null> {
  const was = order.status === 'Refunded';
  const is = after.status === 'Refunded';
  if (was === is) return null;
  const paidCents = await netPaidCents(tx, order.id);
  const amountCents = is ? paidCents : order.chargedCents - paidCents;
  if (amountCents <= 0) return null;
  const wallet = walletOf(order.userId);
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
        note: `Refund taken back, order ${what}`,
      };
}

function cannotPayAgain(id: number, thrown: unknown): unknown {
  if (!(thrown instanceof AppError) || thrown.code !== 'insufficient_funds') return thrown;
  return new AppError(
    'conflict',
    `Order #${id} stays Refunded: the buyer has spent the refund, and the wallet no longer holds what the order costs.`,
  );
}
