import { and, eq, gt, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { notices } from '@/db/schema/notices';
import type { PlacementRole } from '@/db/schema/placements';
import type { Actor, AnyActor } from '@/lib/access/actor';
import { spendByToken } from '@/lib/auth/spend-by-token';
import { AppError } from '@/lib/errors';
import { formatUsd } from '@/lib/money';
import { notifyOfUnpaidChange } from '@/lib/orders/notices/notify-change';
import { InsufficientFunds, toInsufficientFunds } from '@/lib/orders/shortage';
import { AboveLimit, requireWithinLimits } from '@/lib/orders/spending/require-spend';
import { estimateTaxCents, getTaxCents } from '@/lib/orders/tax/get-tax-cents';
import { postOrderTransfers } from '@/lib/orders/tax/post-order-transfers';
import { getBuyerTax, getShownTax } from '@/lib/tax/buyer-tax';
import { type Change, canWithdraw } from './contract';
import { type LockedChange, lockChange, moveChange, requireChangeState } from './move';
import { addMargin } from './price';
import { requireChangeable } from './require-link';
import { createChangeReturn, createChargeTransfers } from './transfers';

/**
 * Accepts a change at its price, which leaves the buyer's wallet with its tax and is reserved. If the tax rose since the
 * buyer saw it, the seller's acceptance asks the buyer to agree to the new total instead, and nothing is charged.
 * @param shownTotalCents what the buyer agrees to; by default the price with the tax that was shown
 * @param role the seller for a request, the buyer for a price that the seller named
 * @throws InsufficientFunds, and AppError conflict in another state; forbidden beyond the daily limit of the buyer's API
 * token, and AboveLimit; for the buyer as `getBuyerTax`
 */
async function accept(
  tx: Executor,
  actor: Actor,
  locked: LockedChange,
  role: Extract<PlacementRole, 'buyer' | 'seller'>,
  shownTotalCents?: number,
): Promise<Change> {
  requireChangeState(locked, 'accepted');
  const { order, change, now } = locked;
  if (change.state !== (role === 'seller' ? 'asked' : 'priced'))
    throw new AppError(
      'conflict',
      role === 'seller'
        ? `The change of order #${order.id} has another price: the buyer has to agree to it.`
        : `The seller has not answered the change of order #${order.id} yet.`,
    );
  await requireChangeable(tx, locked);
  const priceCents = change.sellerCents + change.marginCents;
  const tax = await getTaxFor(tx, locked, role);
  const taxCents = getTaxCents(priceCents, tax);
  const totalCents = priceCents + taxCents;
  if (totalCents > (shownTotalCents ?? priceCents + change.shownTaxCents)) {
    if (role === 'seller') return askAgain(tx, actor, locked, taxCents);
    throw new AppError(
      'conflict',
      `The change now costs ${formatUsd(totalCents)} with tax. Nothing was paid. Look at it and confirm.`,
    );
  }
  await requireWithinLimits(tx, role === 'buyer' ? actor : null, order, totalCents);
  const after = await moveChange(tx, actor, locked, { action: 'accepted', role, set: { chargedAt: now }, taxCents });
  if (role === 'buyer') await spendByToken(tx, actor, totalCents);
  await postOrderTransfers(tx, createChargeTransfers(order, change, actor.userId), tax).catch((thrown: unknown) => {
    throw toInsufficientFunds(thrown, totalCents);
  });
  return after.change;
}

/** Asks the buyer to agree to a price whose tax rose. The step is no side's: sellers do not learn the tax of buyers. */
async function askAgain(tx: Executor, actor: Actor, locked: LockedChange, taxCents: number): Promise<Change> {
  const step = { action: 'priced', role: 'system', set: { shownTaxCents: taxCents }, taxCents } as const;
  return (await moveChange(tx, actor, locked, step)).change;
}

/** Thrown for the seller while the tax of the buyer cannot be decided: sellers do not learn why. */
class UndecidedTax extends Error {}

/** Decides the tax of a change. @throws UndecidedTax for the seller; for the buyer as `getBuyerTax` */
async function getTaxFor(tx: Executor, { order }: LockedChange, role: PlacementRole) {
  try {
    return await getBuyerTax(order.accountId, tx);
  } catch (thrown) {
    if (role === 'buyer' || !(thrown instanceof AppError)) throw thrown;
    throw new UndecidedTax();
  }
}

type Request = { orderId: number; changeId: string; version?: number | undefined };

/**
 * Accepts a change on behalf of the seller: the buyer pays the price that the buyer saw, or with a higher tax by now has
 * to agree to it first.
 * @throws AppError not_found; conflict in another state, for a stale version, and for a wallet with too little money, a
 * limit of the buyer's account or a buyer whose tax cannot be decided, of which the buyer is told; nothing changes then
 */
export async function acceptChange(actor: Actor, request: Request): Promise<Change> {
  const own = { sellerId: actor.userId };
  let reason: string;
  let isAboveLimit = false;
  try {
    return await db().transaction(async (tx) => accept(tx, actor, await lockChange(tx, request, own), 'seller'));
  } catch (thrown) {
    if (thrown instanceof InsufficientFunds)
      reason = `The buyer’s wallet does not cover this change of order #${request.orderId}. We asked the buyer to top it up`;
    else if (thrown instanceof UndecidedTax || thrown instanceof AboveLimit) {
      isAboveLimit = thrown instanceof AboveLimit;
      // Sellers do not learn why.
      reason = `The buyer cannot pay this change of order #${request.orderId} at the moment. We told the buyer`;
    } else throw thrown;
  }
  await db().transaction(async (tx) => {
    const locked = await lockChange(tx, request, own);
    const [told] = await tx
      .select({ id: notices.id })
      .from(notices)
      .where(
        and(
          eq(notices.orderId, locked.order.id),
          eq(notices.kind, 'order.change_unpaid'),
          gt(notices.createdAt, sql`now() - interval '1 day'`),
        ),
      )
      .limit(1);
    if (told) return;
    await notifyOfUnpaidChange(tx, actor, {
      ...locked,
      tax: await getShownTax(locked.order.accountId, tx),
      isAboveLimit,
    });
  });
  throw new AppError('conflict', `${reason}: accept it again later.`);
}

/**
 * Agrees to a change on behalf of the buyer: to the price that the seller named, which is paid at once.
 * @param shownTotalCents the price with tax that the buyer saw, by default that of the last notice; a higher one is a
 * conflict
 * @throws as `accept`
 */
export const acceptPrice = (
  tx: Executor,
  actor: Actor,
  locked: LockedChange,
  shownTotalCents?: number,
): Promise<Change> => accept(tx, actor, locked, 'buyer', shownTotalCents);

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
  const taxCents = await estimateTaxCents(locked.order.accountId, sellerCents + marginCents, tx);
  const set = { sellerCents, marginCents, shownTaxCents: taxCents };
  const step = { action: 'priced', role: 'seller', note: reason, set, taxCents } as const;
  return (await moveChange(tx, actor, locked, step)).change;
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
  if (change.chargedAt !== null) await postOrderTransfers(tx, createChangeReturn(order, change, actor.userId));
  return after.change;
}
