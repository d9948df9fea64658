import { type SQL, sql } from 'drizzle-orm';
import { walletCurrency } from '@/lib/money';

/**
 * Selects the movements of the platform's revenue, of `reserved`, and between `reserved` and sellers: `day` (UTC, of the
 * order, or of a movement without one), `kept`, `reserved` and `earned` in USD cents, negative where money was returned.
 * The three add up to what wallets paid for orders.
 * @param transfers a CTE of transfers with the kinds of both accounts as `from_kind` and `to_kind`
 */
export const selectRevenueMoves = (transfers: SQL): SQL => sql`
  select (coalesce(o.created_at, t.created_at) at time zone 'UTC')::date as day,
    case when to_kind = 'revenue' then amount_cents when from_kind = 'revenue' then -amount_cents else 0 end as kept,
    case when to_kind = 'reserved' then amount_cents when from_kind = 'reserved' then -amount_cents else 0 end as reserved,
    case when to_kind = 'seller_pending' then amount_cents when from_kind = 'seller_pending' then -amount_cents
      else 0 end as earned
  from ${transfers} t left join public.orders o on o.id = t.order_id
  where (from_kind in ('revenue', 'reserved') or to_kind in ('revenue', 'reserved')) and t.currency = ${walletCurrency}`;

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
