import { and, eq, inArray, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import type { LinkVerdict } from '@/db/schema/links';
import { orderChanges } from '@/db/schema/order-changes';
import type { Judgement } from '@/lib/links/judge-page';
import type { Change } from './contract';

/** Finds the change of an order that the seller works on or delivered: the page may already have it. */
export async function findPendingChange(orderId: number, tx: Executor = db()): Promise<Change | undefined> {
  const [change] = await tx
    .select()
    .from(orderChanges)
    .where(and(eq(orderChanges.orderId, orderId), inArray(orderChanges.state, ['accepted', 'delivered'])));
  return change;
}

const ranks: Record<LinkVerdict, number> = { ok: 3, changed: 2, unknown: 1, broken: 0 };

/** Checks whether a page has the link of one judgement rather than that of another. */
export const isBetter = (one: Judgement, other: Judgement): boolean => ranks[one.verdict] > ranks[other.verdict];

/** Returns the columns that hold the result of a check. */
export const findingOf = ({ verdict, evidence }: Judgement, now: Date) => ({
  checkVerdict: verdict,
  checkReasons: [...evidence.reasons],
  checkAnchor: evidence.anchor ?? '',
  checkedAt: now,
});

/** Records what a check found of a delivered change; one in order lets its clock approve it. */
export async function recordChangeCheck(
  tx: Executor,
  { id, state, dueAt }: Change,
  judgement: Judgement,
  now: Date,
): Promise<void> {
  if (state !== 'delivered') return;
  const isDue = judgement.verdict === 'ok' && dueAt !== null && dueAt <= now;
  await tx
    .update(orderChanges)
    .set({ ...findingOf(judgement, now), ...(isDue && { nextActionAt: sql`now()` }) })
    .where(eq(orderChanges.id, id));
}
