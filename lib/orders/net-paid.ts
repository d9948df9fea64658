import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '@/db/client';

const paidRow = z.object({ paid: z.coerce.number() });

/**
 * Returns what the buyer has paid for an order according to the ledger, in USD cents: what left wallets for it, less what
 * was returned to them. Includes transactions reversed by an admin; excludes movements between the platform and a seller.
 * A caller that moves this money must hold the lock on the order's row.
 */
export async function getNetPaidCents(tx: Executor, orderId: number): Promise<number> {
  const rows = await tx.execute(sql`
    with own as (select id, from_account, to_account, amount_cents from ledger.transfers where order_id = ${orderId})
    select coalesce(sum(case when f.kind = 'wallet' then amount_cents else 0 end), 0)
      - coalesce(sum(case when g.kind = 'wallet' then amount_cents else 0 end), 0) as paid
    from (
      select id, from_account, to_account, amount_cents from own
      -- A reversal may name the order itself.
      union
      select t.id, t.from_account, t.to_account, t.amount_cents from own join ledger.transfers t on t.reverses_id = own.id
    ) as moved
    join ledger.accounts f on f.id = from_account join ledger.accounts g on g.id = to_account`);
  return paidRow.parse(rows[0]).paid;
}
