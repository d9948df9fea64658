import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';
import { walletCurrency } from '../money';

export type Revenue = {
  /** The last 30 days, today the last, without a gap; `day` is YYYY-MM-DD in UTC. */
  days: { day: string; amountCents: number }[];
  /** Sum of `days`. */
  recentCents: number;
  /** The 30 days before them. */
  beforeCents: number;
};

const row = z.object({ day: z.string(), amount_cents: z.coerce.number() });
const shownDays = 30;

/**
 * What orders brought, less what was given back on them, in USD cents: every movement of the ledger's revenue account,
 * counted for the day (UTC) on which its order was placed. A movement without an order counts for its own day.
 */
export async function getRevenue(): Promise<Revenue> {
  const rows = z.array(row).parse(
    await db().execute(sql`
      with days as (
        select generate_series(today - ${2 * shownDays - 1}::int, today, interval '1 day')::date as day
        from (select (now() at time zone 'UTC')::date as today) as clock
      ),
      revenue as (select id from ledger.accounts where kind = 'revenue' and currency = ${walletCurrency}),
      first as (select (min(day)::timestamp at time zone 'UTC') as at from days),
      movements as (
        select order_id, created_at, amount_cents from ledger.transfers
        where to_account in (select id from revenue) and created_at >= (select at from first)
        union all
        select order_id, created_at, -amount_cents from ledger.transfers
        where from_account in (select id from revenue) and created_at >= (select at from first)
      ),
      dated as (
        select (coalesce(o.created_at, m.created_at) at time zone 'UTC')::date as day, m.amount_cents
        from movements m left join orders o on o.id = m.order_id
      )
      select days.day::text as day, coalesce(sum(dated.amount_cents), 0) as amount_cents
      from days left join dated using (day) group by days.day order by days.day`),
  );
  const all = rows.map(({ day, amount_cents }) => ({ day, amountCents: amount_cents }));
  const days = all.slice(-shownDays);
  return { days, recentCents: sum(days), beforeCents: sum(all.slice(0, -shownDays)) };
}

const sum = (days: Revenue['days']) => days.reduce((total, { amountCents }) => total + amountCents, 0);
