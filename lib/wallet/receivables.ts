import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';
import { walletCurrency } from '../money';

const row = z
  .object({
    user_id: z.string(),
    name: z.string(),
    email: z.string(),
    owed: z.coerce.number().int(),
    balance: z.coerce.number().int(),
    since: z.string(),
  })
  .transform(({ user_id, owed, balance, ...same }) => ({
    ...same,
    userId: user_id,
    /** Integer USD cents, as the balance. */
    owedCents: owed,
    balanceCents: balance,
  }));

/** Somebody whose payment was refunded or charged back after its money was spent. */
export type Receivable = z.output<typeof row>;

/** Who owes the platform, most first, with what their wallets hold now. */
export async function listReceivables(): Promise<Receivable[]> {
  const rows = await db().execute(sql`
    select u.id as user_id, u.name, u.email, sum(case when t.from_account = a.id then t.amount_cents else -t.amount_cents end) as owed,
      coalesce(min(w.balance_cents), 0) as balance,
      to_char(max(t.created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as since
    from ledger.accounts a
    join ledger.transfers t on a.id in (t.from_account, t.to_account)
    join public.users u on u.id = a.owner
    left join ledger.accounts w on w.kind = 'wallet' and w.owner = a.owner and w.currency = a.currency
    where a.kind = 'receivable' and a.currency = ${walletCurrency}
    group by u.id having sum(case when t.from_account = a.id then t.amount_cents else -t.amount_cents end) > 0
    order by owed desc, u.id limit 500`);
  return z.array(row).parse(rows);
}
