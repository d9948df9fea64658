import { type SQL, sql } from 'drizzle-orm';
import { walletCurrency } from '@/lib/money';

/** The accounts of users, which count together. */
const personalKinds = sql`('wallet', 'receivable', 'seller_pending', 'seller_payable')`;

/**
 * Selects transfers as flows, in the columns of `flow_rollups`: the day (UTC) of the booking, the kind, both accounts, the
 * currency, the amount in minor units, and 1 as the number of transfers.
 * @param transfers a CTE of transfers with kind and owner of both accounts as `from_kind`, `from_owner`, `to_kind` and
 * `to_owner`
 */
export const selectFlows = (transfers: SQL): SQL => sql`
  select (created_at at time zone 'UTC')::date as day, kind,
    from_kind, case when from_kind in ${personalKinds} then '' else from_owner end as from_owner,
    to_kind, case when to_kind in ${personalKinds} then '' else to_owner end as to_owner,
    currency, amount_cents, 1 as entries
  from ${transfers}`;

/** Selects the flows of all transfers: the roll-up and the transfers behind it. */
export const allFlows: SQL = sql`
  select day, kind, from_kind, from_owner, to_kind, to_owner, currency, amount_cents, entries from flow_rollups
  union all
  select * from (${selectFlows(sql`(
    select t.kind, t.created_at, t.amount_cents, f.currency, f.kind as from_kind, f.owner as from_owner,
      g.kind as to_kind, g.owner as to_owner
    from ledger.transfers_since_rollup() t
    join ledger.accounts f on f.id = t.from_account join ledger.accounts g on g.id = t.to_account
  ) as newer`)}) as newer_flows`;

/**
 * Selects the entries of wallets: `account`, `month` (UTC, of the transfer), and `paid` and `returned` in USD cents. Both
 * are 0 for an entry that belongs to no order, such as a top-up. A transfer that reverses one of an order belongs to it.
 * @param transfers a CTE of transfers with their currency, and the kinds of both accounts as `from_kind` and `to_kind`
 */
export const selectSpendingMoves = (transfers: SQL): SQL => sql`
  select side.account, date_trunc('month', t.created_at at time zone 'UTC')::date as month,
    case when side.is_out and is_of_order then t.amount_cents else 0 end as paid,
    case when not side.is_out and is_of_order then t.amount_cents else 0 end as returned
  from ${transfers} t
  left join ledger.transfers undone on undone.id = t.reverses_id and t.order_id is null
  cross join lateral (values (t.from_account, t.from_kind, true), (t.to_account, t.to_kind, false))
    as side(account, kind, is_out)
  cross join lateral (select coalesce(t.order_id, undone.order_id) is not null as is_of_order) as belonging
  where side.kind = 'wallet' and t.currency = ${walletCurrency}`;
