import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { selectSpendingMoves } from '@/lib/ledger/moves';
import { walletCurrency } from '@/lib/money';

/** What a wallet paid for orders in one month (UTC), and what orders returned to it. Integer USD cents, none negative. */
export type SpendingMonth = {
  /** YYYY-MM. */
  month: string;
  paidCents: number;
  returnedCents: number;
};

/** The number of months that `getSpendingMonths` returns. */
export const spendingMonths = 12;

const spendingRow = z.object({ month: z.string(), paid: z.coerce.number(), returned: z.coerce.number() });

/**
 * Returns the last twelve months of a wallet including the current one, the oldest first and without gaps. A payment and
 * a refund count in the month in which they moved, so earlier months never change.
 */
export async function getSpendingMonths(accountId: string, now = new Date()): Promise<SpendingMonth[]> {
  const known = new Map((await readMonths(accountId)).map((row) => [row.month, row]));
  return Array.from({ length: spendingMonths }, (_, index) => {
    const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - spendingMonths + 1 + index, 1));
    const month = start.toISOString().slice(0, 7);
    const { paid = 0, returned = 0 } = known.get(month) ?? {};
    return { month, paidCents: paid, returnedCents: returned };
  });
}

/**
 * Reads the months with entries: the roll-up (lib/ledger/roll-up.ts) and the transfers behind it, in one statement, so
 * that both are of one snapshot.
 */
async function readMonths(accountId: string) {
  const rows = await db().execute(sql`
    with wallet as materialized (
      select id from ledger.accounts where kind = 'wallet' and owner = ${accountId} and currency = ${walletCurrency}
    ),
    added as (
      select t.*, f.kind as from_kind, g.kind as to_kind, f.currency
      from ledger.transfers_since_rollup() t
      join ledger.accounts f on f.id = t.from_account join ledger.accounts g on g.id = t.to_account
      where t.from_account = (select id from wallet) or t.to_account = (select id from wallet)
    )
    select to_char(month, 'YYYY-MM') as month, sum(paid) as paid, sum(returned) as returned from (
      select month, paid_cents as paid, returned_cents as returned from spending_rollups
      where account_id = (select id from wallet)
      union all
      select month, paid, returned from (${selectSpendingMoves(sql`added`)}) as moves
      where account = (select id from wallet)
    ) as entries group by month`);
  return z.array(spendingRow).parse([...rows]);
}
