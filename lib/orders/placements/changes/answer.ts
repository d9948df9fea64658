import { and, eq, gt, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { notices } from '@/db/schema/notices';
import type { PlacementRole } from '@/db/schema/placements';
import type { Actor, AnyActor } from '@/lib/access/actor';
import { spendByToken } from '@/lib/auth/spend-by-token';
import { AppError } from '@/lib/errors';
import { postTransfers } from '@/lib/ledger/post-transfer';
import { notifyOfUnpaidChange } from '@/lib/orders/notices/notify-change';
import { InsufficientFunds, toInsufficientFunds } from '@/lib/orders/shortage';
import { type Change, canWithdraw } from './contract';
import { type LockedChange, lockChange, moveChange, requireChangeState } from './move';
import { addMargin } from './price';
import { requireChangeable } from './require-link';
import { createChangeReturn, createChargeTransfers } from './transfers';

/**
 * Accepts a change at its price, which leaves the buyer's wallet and is reserved.
 * @param role the seller for a request, the buyer for a price that the seller named
 * @throws InsufficientFunds, and AppError conflict in another state; forbidden beyond the daily limit of the buyer's API token
 */
async function accept(
  tx: Executor,
  actor: Actor,
  locked: LockedChange,
  role: Extract<PlacementRole, 'buyer' | 'seller'>,
): Promise<Change> {
  requireChangeState(locked, 'accepted');
  const { order, change, now } = locked;
  if (change.state !== (role === 'seller' ? 'asked' : 'priced'))
    throw new AppError(
      'conflict',
      role === 'seller'
        ? `You named another price for the change of order #${order.id}: the buyer has to agree to it.`
        : `The seller has not answered the change of order #${order.id} yet.`,
    );
  await requireChangeable(tx, locked);
  const after = await moveChange(tx, actor, locked, { action: 'accepted', role, set: { chargedAt: now } });
  const priceCents = change.sellerCents + change.marginCents;
  if (role === 'buyer') await spendByToken(tx, actor, priceCents);
  await postTransfers(tx, createChargeTransfers(order, change, actor.userId)).catch((thrown: unknown) => {
    throw toInsufficientFunds(thrown, priceCents);
  });
  return after.change;
}

type Request = { orderId: number; changeId: string; version?: number | undefined };

/**
 * Accepts a change on behalf of the seller: the buyer pays the price that the buyer saw.
 * @throws AppError not_found; conflict in another state, for a stale version, and for a wallet with too little money, of
 * which the buyer is told; nothing changes then
 */
export async function acceptChange(actor: Actor, request: Request): Promise<Change> {
  const own = { sellerId: actor.userId };
  try {
    return await db().transaction(async (tx) => accept(tx, actor, await lockChange(tx, request, own), 'seller'));
  } catch (thrown) {
    if (!(thrown instanceof InsufficientFunds)) throw thrown;
  }
  await db().transaction(async (tx) => {
    const locked = await lockChange(tx, request, own);
    const [told] = await tx
      .select({ id: notices.id })
      .from(notices)
      .where(
        and(
          eq(notices.userId, locked.order.userId),
          eq(notices.orderId, locked.order.id),
          eq(notices.kind, 'order.change_unpaid'),
          gt(notices.createdAt, sql`now() - interval '1 day'`),
        ),
      )
      .limit(1);
    if (!told) await notifyOfUnpaidChange(tx, actor, locked);
  });
  throw new AppError(
    'conflict',
    `The buyer’s wallet does not cover this change of order #${request.orderId}. We asked the buyer to top it up: accept it again later.`,
  );
}

/**
 * Agrees to a change on behalf of the buyer: to the price that the seller named, which is paid at once.
 * @throws as `accept`
 */
export const acceptPrice = (tx: Executor, actor: Actor, locked: LockedChange): Promise<Change> =>
  accept(tx, actor, locked, 'buyer');

/**
 * Names another price for a change on behalf of the seller, to which the buyer has to agree.
 * @param cents the seller's share
 * @throws AppError conflict after the acceptance
 */
export async function repriceChange(
  tx: Executor,
  actor: Actor,
  locked: LockedChange,
  { cents, reason }: { cents: number; reason: string },
): Promise<Change> {
  requireChangeState(locked, 'priced');
  await requireChangeable(tx, locked);
  const { sellerCents, marginCents } = await addMargin(tx, locked.placement, cents);
  const set = { sellerCents, marginCents };
  return (await moveChange(tx, actor, locked, { action: 'priced', role: 'seller', note: reason, set })).change;
}

/**
 * Declines a change on behalf of the seller; what was charged returns.
 * @throws AppError conflict for a change that is over
 */
export const declineChange = (tx: Executor, actor: Actor, locked: LockedChange, reason: string): Promise<Change> =>
  endChange(tx, actor, locked, { action: 'declined', role: 'seller', note: reason });

/**
 * Withdraws a change on behalf of the buyer; what was charged returns.
 * @throws AppError conflict after the acceptance, unless a check does not find the delivered change
 */
export async function withdrawChange(tx: Executor, actor: Actor, locked: LockedChange): Promise<Change> {
  requireChangeState(locked, 'withdrawn');
  const { change, now } = locked;
  if (!canWithdraw(change, now)) {
    const why =
      change.checkVerdict === 'ok'
        ? 'a check found it in order'
        : 'the check could not tell yet: you can withdraw it at the end of the review';
    throw new AppError('conflict', `The change of order #${change.orderId} is delivered, and ${why}.`);
  }
  return endChange(tx, actor, locked, { action: 'withdrawn', role: 'buyer' });
}

/** Ends a change without its approval; what was charged returns. @throws AppError conflict for a change that is over */
export async function endChange(
  tx: Executor,
  actor: AnyActor,
  locked: LockedChange,
  step: { action: 'declined' | 'withdrawn' | 'expired'; role: PlacementRole; note?: string },
): Promise<Change> {
  requireChangeState(locked, step.action);
  const { order, change } = locked;
  const after = await moveChange(tx, actor, locked, step);
  if (change.chargedAt !== null) await postTransfers(tx, createChangeReturn(order, change, actor.userId));
  return after.change;
}
