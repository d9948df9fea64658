import { type SQL, sql } from 'drizzle-orm';
import { walletCurrency } from '../money';

/**
 * Selects the movements of the platform's revenue, of `reserved`, and between `reserved` and sellers: `day` (UTC, of the
 * order, or of a movement without one), `kept`, `reserved` and `earned` in USD cents, negative where money was returned.
 * The three add up to what wallets paid for orders.
 * @param transfers a table or CTE with the columns of transfers
 */
export const selectRevenueMoves = (transfers: SQL): SQL => sql`
  select (coalesce(o.created_at, t.created_at) at time zone 'UTC')::date as day,
    case when g.kind = 'revenue' then t.amount_cents when f.kind = 'revenue' then -t.amount_cents else 0 end as kept,
    case when g.kind = 'reserved' then t.amount_cents when f.kind = 'reserved' then -t.amount_cents else 0 end as reserved,
    case when g.kind = 'seller_pending' then t.amount_cents when f.kind = 'seller_pending' then -t.amount_cents
      else 0 end as earned
  from ${transfers} t
  join ledger.accounts f on f.id = t.from_account join ledger.accounts g on g.id = t.to_account
  left join public.orders o on o.id = t.order_id
  where (f.kind in ('revenue', 'reserved') or g.kind in ('revenue', 'reserved')) and f.currency = ${walletCurrency}`;
