import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '../../db/client';
import { newId } from '../ids';
import { walletCurrency } from '../money';

const answer = z.object({ paid: z.coerce.number() });

/**
 * After money came into a wallet: pays what its owner owes for earlier refunds or disputes, as far as the wallet goes.
 * @param cause names the money that came, e.g. `topup:<id>`; a second call with it pays nothing more
 * @returns what was paid, in USD cents
 */
export async function settleReceivable(
  tx: Executor,
  userId: string,
  { cause, actorId = null, meta = {} }: { cause: string; actorId?: string | null; meta?: Record<string, unknown> },
): Promise<number> {
  const rows = await tx.execute(sql`
    select ledger.settle_receivable(
      ${newId()}, ${`receivable:${cause}`}, ${userId}, ${walletCurrency}, ${actorId}::text,
      ${'Paid what was owed for a refunded or disputed payment'}, ${JSON.stringify(meta)}::text::jsonb) as paid`);
  return answer.parse(rows[0]).paid;
}
