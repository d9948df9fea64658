import { and, eq, isNull, sql } from 'drizzle-orm';
import { type CheckCause, linkChecks, linkWatches } from '@/db/schema/links';
import type { Transaction } from '@/db/transaction';
import type { Judgement } from './judge-page';
import { issueProof } from './passport/proofs';
import { addVerdict, getNextCheckAt } from './watches';

type Check = typeof linkChecks.$inferSelect;
type CheckInput = Pick<Check, 'orderId' | 'pageUrl' | 'targetUrl' | 'actorId'> & {
  cause: CheckCause;
  judgement: Judgement;
};

/** Inserts what a check found, with its passport. */
export async function insertCheck(
  tx: Transaction,
  { judgement: { verdict, evidence, textHash }, ...input }: CheckInput,
): Promise<Check | null> {
  const [check] = await tx
    .insert(linkChecks)
    .values({
      ...input,
      verdict,
      status: evidence.status,
      finalUrl: evidence.finalUrl,
      redirects: evidence.redirects,
      found: evidence.found,
      rel: evidence.rel?.join(' ') ?? '',
      anchor: evidence.anchor ?? '',
      indexable: evidence.indexable,
      reasons: evidence.reasons,
      textHash: textHash ?? '',
    })
    .returning();
  if (check) await issueProof(tx, check);
  return check ?? null;
}

/**
 * Records the check with which a link was delivered as the first of its watch, in the transaction that started the watch.
 * The buyer and the seller learn of its result with the delivery. Does nothing without a watch.
 * @param guaranteeDays how long the link is watched at least
 */
export async function recordFirstCheck(
  tx: Transaction,
  orderId: number,
  { judgement, actorId, guaranteeDays }: Pick<CheckInput, 'judgement' | 'actorId'> & { guaranteeDays: number },
): Promise<void> {
  const isWatched = and(eq(linkWatches.orderId, orderId), isNull(linkWatches.endedAt));
  const [row] = await tx
    .select({ watch: linkWatches, now: sql`now()`.mapWith(linkWatches.createdAt) })
    .from(linkWatches)
    .where(isWatched);
  if (!row) return;
  const { watch, now } = row;
  const { pageUrl, targetUrl, startedAt } = watch;
  await insertCheck(tx, { orderId, pageUrl, targetUrl, actorId, cause: 'delivery', judgement });
  const { findings } = addVerdict(watch, judgement.verdict, null, now);
  const endsAt = new Date(startedAt.getTime() + guaranteeDays * 86_400_000);
  const nextCheckAt = getNextCheckAt({ ...watch, ...findings }, judgement.verdict, endsAt, now);
  await tx
    .update(linkWatches)
    .set({ ...findings, nextCheckAt, nextCause: 'schedule' })
    .where(isWatched);
}
