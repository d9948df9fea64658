import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';
import { type CappedCount, countCap } from '../../db/count-up-to';
import { projects } from '../../db/schema/projects';
import { sites } from '../../db/schema/sites';
import { users } from '../../db/schema/users';
import { listLatestChanges } from '../audit/queries';
import { walletCurrency } from '../money';

export type Revenue = {
  /** The last 30 days including today, without gaps; `day` is YYYY-MM-DD in UTC. */
  days: { day: string; amountCents: number }[];
  /** The sum of `days`. */
  recentCents: number;
  /** The sum of the 30 days before. */
  beforeCents: number;
};

const revenueRow = z.object({ day: z.string(), amount_cents: z.coerce.number() });
const shownDays = 30;

/**
 * Returns the net revenue of orders in USD cents: all movements of the ledger's revenue account, each counted on the day
 * (UTC) its order was created. A movement without an order counts on its own day.
 */
export async function getRevenue(): Promise<Revenue> {
  const rows = z.array(revenueRow).parse(
    await db().execute(sql`
      with days as (
        select generate_series(today - ${2 * shownDays - 1}::int, today, interval '1 day')::date as day
        from (select (now() at time zone 'UTC')::date as today) as clock
      ),
      revenue as (select id from ledger.accounts where kind = 'revenue' and currency = ${walletCurrency}),
      -- Movements that the roll-up has not reached.
      movements as (
        select t.order_id, t.created_at, case when t.to_account = r.id then t.amount_cents else -t.amount_cents end as amount_cents
        from ledger.transfers_since_rollup() t join revenue r on r.id in (t.from_account, t.to_account)
      ),
      dated as (
        select day, amount_cents from revenue_rollups where day >= (select min(day) from days)
        union all
        select (coalesce(o.created_at, m.created_at) at time zone 'UTC')::date, m.amount_cents
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

/**
 * Returns the change between two periods in whole percent; null if the earlier one is zero.
 * @example trendPercent(15, 10) // 50
 */
export function trendPercent(recent: number, before: number): number | null {
  return before > 0 ? Math.round(((recent - before) / before) * 100) : null;
}

/** The number of records, of those created in the last 30 days, and of those in the 30 days before. */
export type Growth = { all: CappedCount; recent: number; before: number };

const growing = { users, projects, sites };
const growthRow = z.object({ all: z.int(), recent: z.int(), before: z.int() });

/** Counts users, projects and sites that are not deleted. */
export async function getGrowth(): Promise<Record<keyof typeof growing, Growth>> {
  const [ofUsers, ofProjects, ofSites] = await Promise.all([
    getGrowthOf(growing.users),
    getGrowthOf(growing.projects),
    getGrowthOf(growing.sites),
  ]);
  return { users: ofUsers, projects: ofProjects, sites: ofSites };
}

async function getGrowthOf(table: (typeof growing)[keyof typeof growing]): Promise<Growth> {
  const since = (days: number) => sql`${table.createdAt} >= now() - make_interval(days => ${days})`;
  const [{ all, recent, before }] = z.tuple([growthRow]).parse([
    ...(await db().execute(sql`
      select (select count(*) from (
          select from ${table} where ${table.deletedAt} is null limit ${countCap + 1}
        ) as counted)::int as all,
        (select count(*) from ${table} where ${table.deletedAt} is null and ${since(shownDays)})::int as recent,
        (select count(*) from ${table} where ${table.deletedAt} is null and ${since(2 * shownDays)}
          and not ${since(shownDays)})::int as before`)),
  ]);
  return { all: { total: Math.min(all, countCap), isCapped: all > countCap }, recent, before };
}

/** Lists the latest changes in the audit log, without sign-ins. The caller needs ViewAuditLogs. */
export async function getLatestActivity(limit = 8) {
  const entries = await listLatestChanges(limit);
  return entries.map(({ id, details, user, role, timestamp }) => ({ id, details, user, role, at: timestamp }));
}
