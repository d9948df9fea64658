import { eq, getTableColumns, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { payoutMethods, payouts } from '@/db/schema/payouts';
import { holds, isSamePerson } from '@/lib/access/account-controllers';
import type { Actor } from '@/lib/access/actor';
import { hasPermission } from '@/lib/access/authorize';
import type { Rights } from '@/lib/access/permissions';
import { getSettledRights } from '@/lib/access/settled-rights';
import { hasOtherDecider, hasOtherPerson, requireDeciders, requireNotOwn } from '@/lib/approvals/request';
import { requireIndependent, requireSettled } from '@/lib/approvals/second-person';
import { AppError } from '@/lib/errors';
import { formatUsd } from '@/lib/money';
import { recordAudit } from '@/lib/platform/audit/record';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { needsTwoApprovals } from './limits';
import { changePayout, movePayout, payoutNotFoundError } from './move-payout';
import type { Payout } from './postings';

/**
 * Approves a requested payout. Two persons approve it if the seller's payouts of 24 hours exceed the limit of the rules, or
 * if the actor is not independent of the seller: the first call stores its approval and leaves the state as it is. A first
 * approval that no longer counts is replaced by this one.
 * @throws AppError not_found, forbidden for the actor's own payout and for rights that have not settled, conflict for
 * another state, a stale `version`, a payout method that was set within the last 72 hours or was replaced since the
 * request, a second approval by the same person, or when a second person is needed and there is none
 */
export const approvePayout = (actor: Actor, id: string, version?: number): Promise<Payout> =>
  changePayout(id, async (tx, payout) => {
    requireNotOwn(actor, payout.sellerId, 'approve your own payout');
    requireVersion(payout, version, 'This payout');
    if (payout.state !== 'requested') {
      throw new AppError('conflict', `This payout is ${payout.state} and does not wait for an approval.`);
    }
    await requireSettled(tx, actor, mayApprove);
    await requireUsableMethod(tx, payout);
    const needsTwo = (await needsTwoApprovals(tx, actor, payout)) || (await mayBeSeller(tx, actor, payout));
    if (!needsTwo) return approve(tx, actor, payout);
    const first = payout.firstApprovedBy;
    if (first === null || !(await isCounted(first, tx))) {
      return storeFirstApproval(tx, actor, payout);
    }
    if (first === actor.userId) {
      throw new AppError('conflict', 'This payout needs the approval of a second person. You approved it already.');
    }
    await requireIndependent(
      tx,
      actor,
      first,
      'You are not independent of the first person who approved this payout. Another person must approve it.',
    );
    return approve(tx, actor, payout);
  });

/** Checks whether the actor, or who acts through the actor's account, may be the seller. False while no other person could approve. */
const mayBeSeller = async (tx: Executor, actor: Actor, { sellerId }: Payout): Promise<boolean> =>
  (await holds(tx, isSamePerson(actor.userId, sellerId))) &&
  hasOtherPerson(tx, actor.userId, { kind: 'payout_rules', beneficiaryId: sellerId });

/** Checks whether the first approval by a user still counts. */
export const isCounted = async (firstApprovedBy: string, tx: Executor = db()): Promise<boolean> =>
  mayApprove(await getSettledRights(firstApprovedBy, tx));

const mayApprove = (rights: Rights) => hasPermission(rights, 'ManagePayouts');

/** Bulk approval: the payouts that were approved, those that wait for a second person, and why others were refused. */
export type BulkApproval = { approved: number; waiting: number; refused: { id: string; message: string }[] };

/** Approves several payouts, each in a transaction of its own: one that is refused does not affect the others. */
export async function approvePayouts(actor: Actor, { ids }: { ids: readonly string[] }): Promise<BulkApproval> {
  const result: BulkApproval = { approved: 0, waiting: 0, refused: [] };
  for (const id of new Set(ids)) {
    try {
      const { state } = await approvePayout(actor, id);
      if (state === 'approved') result.approved += 1;
      else result.waiting += 1;
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      result.refused.push({ id, message: thrown.message });
    }
  }
  return result;
}

const approve = (tx: Executor, actor: Actor, payout: Payout): Promise<Payout> =>
  movePayout(tx, actor, payout, {
    to: 'approved',
    what: 'was approved',
    change: { approvedBy: actor.userId, approvedAt: new Date() },
  });

async function storeFirstApproval(tx: Executor, actor: Actor, payout: Payout): Promise<Payout> {
  const concern = { kind: 'payout_rules' as const, beneficiaryId: payout.sellerId };
  // An approval for which there is no second would keep out others who may approve the payout together.
  if (await hasOtherDecider(tx, actor.userId, concern)) {
    const summary = `Approve the payout of ${formatUsd(payout.amountCents)}.`;
    await requireDeciders(tx, actor, { ...concern, summary });
  }
  const [after] = await tx
    .update(payouts)
    .set({ firstApprovedBy: actor.userId, firstApprovedAt: sql`now()`, version: sql`${payouts.version} + 1` })
    .where(eq(payouts.id, payout.id))
    .returning();
  if (!after) throw payoutNotFoundError();
  await recordAudit(tx, actor, {
    action: 'payout.first_approved',
    details: `The payout of ${formatUsd(payout.amountCents)} was approved by the first of two persons.${
      payout.firstApprovedBy ? ' An earlier first approval no longer counts: its person lost the permission.' : ''
    }`,
    entityType: 'payout',
    entityId: payout.id,
    amountCents: payout.amountCents,
    ...(payout.firstApprovedBy && { before: { firstApprovedBy: payout.firstApprovedBy } }),
  });
  return after;
}

/** @throws AppError conflict while the method rests after its change, and after its replacement */
async function requireUsableMethod(tx: Executor, { methodId, sellerId }: Payout): Promise<void> {
  const [method] = await tx
    .select({ ...getTableColumns(payoutMethods), isUsable: sql<boolean>`${payoutMethods.usableAt} <= now()` })
    .from(payoutMethods)
    .where(eq(payoutMethods.id, methodId));
  if (method?.sellerId !== sellerId) throw new AppError('conflict', 'The method of this payout is not the seller’s.');
  // The change may be the owner's answer to a method that another person set.
  if (method.replacedAt !== null) {
    throw new AppError(
      'conflict',
      'The seller replaced or removed the payout method after this request. Decline it, so that the seller can request a payout to the current method.',
    );
  }
  if (method.isUsable) return;
  const at = `${method.usableAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  throw new AppError('conflict', `The payout method was changed recently. You can approve this payout after ${at}.`);
}
