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
