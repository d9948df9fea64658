import { asc, eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { payoutBatches, payouts } from '@/db/schema/payouts';
import type { Actor } from '@/lib/access/actor';
import { runPayoutBatches } from '@/lib/payouts/paypal/run-batches';
import { sendWithPaypal } from '@/lib/payouts/paypal/staff-actions';
import type { Payout } from '@/lib/payouts/postings';
import { makePayout } from '@/tests/factories/make-payout';

/** Creates approved payouts to PayPal, each of a new seller, and puts them into a batch. */
export async function makePaypalBatch(
  amounts: readonly number[] = [10_000],
): Promise<{ id: string; ids: string[]; staff: Actor; sellers: Actor[] }> {
  const made = [];
  for (const amountCents of amounts) made.push(await makePayout('approved', { kind: 'paypal', amountCents }));
  const [first] = made;
  if (!first) throw new Error('A batch has payouts.');
  const ids = made.map(({ payout }) => payout.id);
  const { id } = await sendWithPaypal(first.staff, { ids });
  return { id, ids, staff: first.staff, sellers: made.map(({ seller }) => seller) };
}

/** Makes all batches due that are not over, as if their waits had passed, and runs the job once. */
export async function runDueBatches(): Promise<{ sent: number; read: number; failed: number }> {
  await db().update(payoutBatches).set({ nextActionAt: sql`now()` }).where(sql`next_action_at is not null`);
  return runPayoutBatches();
}

export async function payoutRow(id: string): Promise<Payout> {
  const [row] = await db().select().from(payouts).where(eq(payouts.id, id));
  if (!row) throw new Error(`No payout ${id}`);
  return row;
}

export async function batchRow(id: string): Promise<typeof payoutBatches.$inferSelect> {
  const [row] = await db().select().from(payoutBatches).where(eq(payoutBatches.id, id)).orderBy(asc(payoutBatches.id));
  if (!row) throw new Error(`No batch ${id}`);
  return row;
}
