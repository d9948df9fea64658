import { desc, eq, getTableColumns, isNotNull, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { payoutBatches, payouts } from '@/db/schema/payouts';
import { users } from '@/db/schema/users';
import { AppError } from '@/lib/errors';

export type Batch = typeof payoutBatches.$inferSelect;

const countIn = (state: 'sent' | 'paid') => sql<number>`(
  select count(*)::int from ${payouts} where ${payouts.batchId} = ${payoutBatches.id} and ${payouts.state} = ${state})`;

const selectBatches = () =>
  db()
    .select({
      ...getTableColumns(payoutBatches),
      creatorEmail: users.email,
      /** The payouts of the batch that are not decided. */
      openCount: countIn('sent'),
      paidCount: countIn('paid'),
    })
    .from(payoutBatches)
    .leftJoin(users, eq(users.id, payoutBatches.createdBy));

export type PayoutBatchRow = Awaited<ReturnType<typeof selectBatches>>[number];

/** Lists the newest batches, up to 100. */
export const listPayoutBatches = async (): Promise<PayoutBatchRow[]> =>
  selectBatches().orderBy(desc(payoutBatches.id)).limit(100);

/** Finds a batch. @throws AppError not_found */
export async function getPayoutBatch(id: string): Promise<PayoutBatchRow> {
  const [row] = await selectBatches().where(eq(payoutBatches.id, id));
  if (!row) throw batchNotFoundError();
  return row;
}

export const batchNotFoundError = () => new AppError('not_found', 'This batch does not exist.');

/**
 * Whether the provider reports what becomes of the payouts of a batch: it is read, or may still be sent. Staff record
 * the payouts of a batch that was never accepted and is not tried again, or that is no longer read.
 */
export const isAtProvider = isNotNull(payoutBatches.nextActionAt);
