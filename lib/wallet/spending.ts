import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';
import { selectSpendingMoves } from '../ledger/spending-moves';
import { walletCurrency } from '../money';

/** What a wallet paid for orders in one month (UTC), and what orders returned to it. Integer USD cents, none negative. */
export type SpendingMonth = {
  /** YYYY-MM. */
  month: string;
  paidCents: number;
  returnedCents: number;
};

/** The number of months that `getSpendingMonths` returns. */
export const spendingMonths = 12;

const spendingRow = z.object({
  isWhole: z.boolean(),
  month: z.string().nullable(),
  paid: z.coerce.number(),
  returned: z.coerce.number(),
});

/**
 * Returns the last twelve months of a wallet including the current one, the oldest first and without gaps. A payment and
 * a refund count in the month in which they moved, so earlier months never change. Reads the roll-up
 * (lib/ledger/roll-up.ts) and the transfers behind it. A roll-up with a gap, as before its first run after an update,
 * is not used: the transfers of the wallet are read instead.
 */
export async function getSpendingMonths(userId: string, now = new Date()): Promise<SpendingMonth[]> {
  const rolled = await readMonths(userId, sql`ledger.transfers_since_rollup()`, { isRolled: true });
  const rows = rolled.every(({ isWhole }) => isWhole)
    ? rolled
    : await readMonths(userId, sql`ledger.transfers`, { isRolled: false });
  const known = new Map(rows.map((row) => [row.month, row]));
  return Array.from({ length: spendingMonths }, (_, index) => {
    const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - spendingMonths + 1 + index, 1));
    const month = start.toISOString().slice(0, 7);
    const { paid = 0, returned = 0 } = known.get(month) ?? {};
    return { month, paidCents: paid, returnedCents: returned };
  });
}

/**
 * Reads the months with entries in one statement, so that the roll-up and the transfers behind it are of one snapshot.
 * @param transfers the transfers that are added to the roll-up, or all
 * @returns one row without a month if there are no entries; `isWhole` is whether the roll-up has every entry up to its
 * position
 */
async function readMonths(userId: string, transfers: SQL, { isRolled }: { isRolled: boolean }) {
  const rows = await db().execute(sql`
    with wallet as materialized (
      select id from ledger.accounts where kind = 'wallet' and owner = ${userId} and currency = ${walletCurrency}
    ),
    rolled as (
      select month, paid_cents as paid, returned_cents as returned, entries from spending_rollups
      where account_id = (select id from wallet) and ${isRolled}
    ),
    added as (
      select t.*, f.kind as from_kind, g.kind as to_kind${isRolled ? sql`, f.currency` : sql``}
      from ${transfers} t
      join ledger.accounts f on f.id = t.from_account join ledger.accounts g on g.id = t.to_account
      where t.from_account = (select id from wallet) or t.to_account = (select id from wallet)
    ),
    months as (
      select month, sum(paid) as paid, sum(returned) as returned from (
        select month, paid, returned from rolled
        union all
        select month, paid, returned from (${selectSpendingMoves(sql`added`)}) as moves
        where account = (select id from wallet)
      ) as entries group by month
    ),
    roll_up as (
      select (select coalesce(sum(entries), 0) from rolled)
        = coalesce((select version from account_rollups where account_id = (select id from wallet)), 0) as is_whole
    )
    select is_whole as "isWhole", to_char(month, 'YYYY-MM') as month, coalesce(paid, 0) as paid,
      coalesce(returned, 0) as returned
    from roll_up left join months on true`);
  return z.array(spendingRow).parse([...rows]);
}
