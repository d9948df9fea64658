import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { transfers } from '@/db/schema/ledger';
import { payouts } from '@/db/schema/payouts';
import { isSamePerson } from '@/lib/access/account-controllers';
import type { Actor } from '@/lib/access/actor';
import { hasOtherPerson } from '@/lib/approvals/request';
import { type Payout, returnKeyOf } from './postings';
import { lockProfile } from './request';
import { getPayoutRules } from './rules';

/**
 * Checks whether a payout needs the approval of two persons: the seller's payouts of 24 hours exceed the limit, or the
 * actor alone returned money of this seller before, and would pay it again. Locks the seller's payouts, so that
 * concurrent approvals are counted.
 */
export async function needsTwoApprovals(tx: Executor, actor: Actor, payout: Payout): Promise<boolean> {
  return (
    (await exceedsDay(
      tx,
      payout,
      and(
        inArray(payouts.state, ['approved', 'sent', 'paid']),
        sql`${payouts.approvedAt} > now() - interval '24 hours'`,
      ),
    )) || (await isOwnReturn(tx, actor, payout))
  );
}

/** Checks whether the returns of a seller's payouts in 24 hours exceed what one person may record. */
export const exceedsReturnLimit = (tx: Executor, payout: Payout): Promise<boolean> =>
  exceedsDay(
    tx,
    payout,
    and(inArray(payouts.state, ['failed', 'returned']), wasSent, sql`${payouts.endedAt} > now() - interval '24 hours'`),
  );

/** The condition for payouts that the bank or PayPal may have executed. */
const wasSent = sql`coalesce(${payouts.sentAt}, ${payouts.paidAt}) is not null`;

async function exceedsDay(
  tx: Executor,
  { id, sellerId, amountCents }: Payout,
  isCounted: ReturnType<typeof and>,
): Promise<boolean> {
  const { rules } = await getPayoutRules(tx);
  if (amountCents > rules.approvalLimitCents) return true;
  await lockProfile(tx, sellerId);
  const [row] = await tx
    .select({ cents: sql<number>`coalesce(sum(${payouts.amountCents}), 0)`.mapWith(Number) })
    .from(payouts)
    .where(and(eq(payouts.sellerId, sellerId), ne(payouts.id, id), isCounted));
  return amountCents + (row?.cents ?? 0) > rules.approvalLimitCents;
}

/** Checks whether the actor returned a payout of the seller in the last 30 days. False while there are no other staff. */
async function isOwnReturn(tx: Executor, actor: Actor, { sellerId }: Payout): Promise<boolean> {
  const [returned] = await tx
    .select({ id: payouts.id })
    .from(payouts)
    .innerJoin(transfers, eq(transfers.key, returnKeyOf(payouts.id)))
    .where(
      and(
        eq(payouts.sellerId, sellerId),
        wasSent,
        sql`${payouts.endedAt} > now() - interval '30 days'`,
        isSamePerson(actor.userId, transfers.actorId),
      ),
    )
    .limit(1);
  return returned !== undefined && hasOtherPerson(tx, actor.userId, { kind: 'payout_return', beneficiaryId: sellerId });
}
