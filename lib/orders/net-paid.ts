import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '../../db/client';

const answer = z.object({ paid: z.coerce.number() });

/**
 * What the buyer has paid for an order by the books at this moment, in USD cents: charges less refunds, and less what
 * an admin undid by deleting one of its transactions. Call it with the order's row locked.
 */
export async function netPaidCents(tx: Executor, orderId: number): Promise<number> {
  const rows = await tx.execute(sql`
    select coalesce(sum(case when from_version is not null then amount_cents else -amount_cents end), 0) as paid
    from ledger.transfers
    where order_id = ${orderId}
      or reverses_id in (select id from ledger.transfers where order_id = ${orderId})`);
  return answer.parse(rows[0]).paid;
}
