import { eq, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { type CappedCount, countCap } from '@/db/count-up-to';
import { prepared } from '@/db/prepared';
import type { Reading } from '@/db/replicas';
import { type AccountKind, ledgerAccounts } from '@/db/schema/ledger';
import { projects } from '@/db/schema/projects';
import { sites } from '@/db/schema/sites';
import { userAvatars } from '@/db/schema/user-avatars';
import { users } from '@/db/schema/users';
import { listLatestChanges } from '@/lib/audit/queries';
import { allFlows } from '@/lib/ledger/moves';
import { walletCurrency } from '@/lib/money';
import { getReader, type NotificationUser, unreadCount } from '@/lib/notifications/notifications';

/** Reads the data of the console's layout in one round trip. */
export async function getAdminFrame(person: NotificationUser): Promise<{ unread: number; picture: string | null }> {
  const [row] = await frame().execute(getReader(person));
  return { unread: row?.unread ?? 0, picture: row?.picture ?? null };
}

const placeholders = { userId: sql.placeholder('userId'), audience: sql.placeholder('audience') };

const frame = prepared((on) =>
  on
    .select({
      unread: unreadCount(placeholders),
      picture: sql<string | null>`(${on
        .select({ hash: userAvatars.hash })
        .from(userAvatars)
        .where(eq(userAvatars.userId, placeholders.userId))})`.as('picture'),
    })
    .from(sql`(values (1)) as once`)
    .prepare('admin_frame'),
);

/** Sums of orders in USD cents, net of refunds. What is reserved is a part of the sales, and of no other sum. */
export type RevenueSums = {
  /** What buyers paid. */
  salesCents: number;
  /** What sellers earned with approved orders. */
  sellersCents: number;
  /** The platform's own revenue: orders without a seller, and margins. */
  keptCents: number;
};

const revenueRow = z.object({
  day: z.string(),
  kept: z.coerce.number(),
  reserved: z.coerce.number(),
  earned: z.coerce.number(),
});
const shownDays = 30;

/** Builds the sum of what an account kind received, less what left it, of flows in USD cents. */
const sumInto = (kind: AccountKind): SQL => sql`
  coalesce(sum(case when to_kind = ${kind} then amount_cents when from_kind = ${kind} then -amount_cents end), 0)`;

/**
 * Returns the sales of orders by day (UTC), and what sellers and the platform have of them. Each payment, refund and share
 * counts on the day of its booking, so earlier days never change. The query of the money overview would read each
 * row of a day along the index.
 */
export async function getRevenue(on: Reading = db()) {
  const rows = z.array(revenueRow).parse(
    await on.execute(sql`
      with days as (
        select generate_series(today - ${2 * shownDays - 1}::int, today, interval '1 day')::date as day
        from (select (now() at time zone 'UTC')::date as today) as clock
      ),
      moves as (
        select * from (${allFlows}) as flows
        where day >= (select min(day) from days) and currency = ${walletCurrency}
          and ('revenue' in (from_kind, to_kind) or 'reserved' in (from_kind, to_kind))
      )
      select days.day::text as day, ${sumInto('revenue')} as kept, ${sumInto('reserved')} as reserved,
        ${sumInto('seller_pending')} as earned
      from days left join moves using (day) group by days.day order by days.day`),
  );
  const all = rows.map(({ day, kept, reserved, earned }) => ({
    day,
    salesCents: kept + reserved + earned,
    sellersCents: earned,
    keptCents: kept,
  }));
  const days = all.slice(-shownDays);
  // `days` has no gaps and ends today; `recent` is its sum, and `before` the sum of the 30 days before.
  return { days, recent: sum(days), before: sum(all.slice(0, -shownDays)) };
}

export type Revenue = Awaited<ReturnType<typeof getRevenue>>;

const sum = (days: RevenueSums[]): RevenueSums => ({
  salesCents: days.reduce((total, { salesCents }) => total + salesCents, 0),
  sellersCents: days.reduce((total, { sellersCents }) => total + sellersCents, 0),
  keptCents: days.reduce((total, { keptCents }) => total + keptCents, 0),
});

/** Checks whether a seller has ever earned with an order. Until then, sales and revenue are the same. */
export async function haveSellersEarned(): Promise<boolean> {
  const rows = await db()
    .select({ id: ledgerAccounts.id })
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.kind, 'seller_pending'))
    // Along the unique index: the planner would scan the table for the first match.
    .orderBy(ledgerAccounts.owner)
    .limit(1);
  return rows.length > 0;
}

/**
 * Returns the change between two periods in whole percent; null if the earlier one is below 10 (records or dollars),
 * from which a few more are a change of hundreds of percent.
 * @example trendPercent(15, 10) // 50
 */
export function trendPercent(recent: number, before: number): number | null {
  return before >= 10 ? Math.round(((recent - before) / before) * 100) : null;
}

/** The number of records, of those created in the last 30 days, and of those in the 30 days before. */
export type Growth = { all: CappedCount; recent: number; before: number };

const growing = { users, projects, sites };
const growthRow = z.object({ all: z.int(), recent: z.int(), before: z.int() });
const growthRows = z.tuple([z.object({ users: growthRow, projects: growthRow, sites: growthRow })]);

/** Counts users, projects and sites that are not deleted. */
export async function getGrowth(on: Reading = db()): Promise<Record<keyof typeof growing, Growth>> {
  const [{ users: ofUsers, projects: ofProjects, sites: ofSites }] = growthRows.parse([
    ...(await on.execute(sql`
      select ${growthOf(growing.users)} as users, ${growthOf(growing.projects)} as projects,
        ${growthOf(growing.sites)} as sites`)),
  ]);
  return { users: capGrowth(ofUsers), projects: capGrowth(ofProjects), sites: capGrowth(ofSites) };
}

function growthOf(table: (typeof growing)[keyof typeof growing]): SQL {
  const since = (days: number) => sql`${table.createdAt} >= now() - make_interval(days => ${days})`;
  return sql`json_build_object(
    'all', (select count(*) from (select from ${table} where ${table.deletedAt} is null limit ${countCap + 1}) as counted),
    'recent', (select count(*) from ${table} where ${table.deletedAt} is null and ${since(shownDays)}),
    'before', (select count(*) from ${table} where ${table.deletedAt} is null and ${since(2 * shownDays)}
      and not ${since(shownDays)}))`;
}

const capGrowth = ({ all, recent, before }: z.output<typeof growthRow>): Growth => ({
  all: { total: Math.min(all, countCap), isCapped: all > countCap },
  recent,
  before,
});

/** Lists the latest changes in the audit log, without sign-ins. The caller needs ViewAuditLogs. */
export async function getLatestActivity(limit = 8) {
  const entries = await listLatestChanges(limit);
  return entries.map(({ id, details, user, role, timestamp }) => ({ id, details, user, role, at: timestamp }));
}
