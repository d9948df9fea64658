import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { type PgColumn, unionAll } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { db } from '@/db/client';
import { countUpTo } from '@/db/count-up-to';
import type { Reading } from '@/db/replicas';
import { linkWatches } from '@/db/schema/links';
import { orders } from '@/db/schema/orders';
import { isToAnswer, isToPublish, placements } from '@/db/schema/placements';
import { sites } from '@/db/schema/sites';
import { isInProjects, isInScope } from '@/lib/access/account-roles';
import type { AccountScope } from '@/lib/access/actor';
import { isLate } from '@/lib/orders/contract';

/** The start of the current month (UTC). */
const monthStart = sql`(date_trunc('month', now() at time zone 'UTC') at time zone 'UTC')`;

/** Counts the links that went live and those that were lost, each along an index and up to a cap. */
export async function getLinkFigures(scope: AccountScope, on: Reading = db()) {
  const isOwn = sql`buyer_id = ${scope.accountId}`;
  const isPresent =
    scope.projectIds === null
      ? // Deleted orders are few, and an index of their own lists them.
        sql`not exists (select from ${orders} o where o.id = order_id and o.deleted_at is not null)`
      : sql`exists (select from ${orders} where ${orders.id} = order_id and ${isShown(scope)})`;
  const [live, lost, missing] = await Promise.all([
    // In place at the newest check: approved deliveries, and live links that staff set.
    countUpTo(
      (limit) => sql`(
        (select from ${placements} where ${isOwn} and approved_at >= ${monthStart} and state not in ('lost', 'taken_over')
          and not exists (select from ${linkWatches} w where w.order_id = ${placements.orderId} and w.verdict = 'broken')
          and not (state = 'settled' and seller_returned_cents + margin_returned_cents = seller_cents + margin_cents)
          and ${isPresent} limit ${limit})
        union all
        (select from ${linkWatches} where ${isOwn} and seller_id is null and started_at >= ${monthStart}
          and (ended_at is null or end_reason = 'over') and verdict is distinct from 'broken' and ${isPresent} limit ${limit}))`,
      on,
    ),
    countUpTo(
      (limit) => sql`(select from ${linkWatches} where ${isOwn} and end_reason = 'lost' and ended_at >= ${monthStart}
        and ${isPresent} limit ${limit})`,
      on,
    ),
    countUpTo(
      (limit) => sql`(select from ${linkWatches} where ${isOwn} and ended_at is null and verdict = 'broken'
        and ${isPresent} limit ${limit})`,
      on,
    ),
  ]);
  return { live, lost, missing };
}

/** The condition that an order was not deleted and is of a project that the member sees. */
const isShown = (scope: AccountScope) => and(isNull(orders.deletedAt), isInProjects(scope, orders.projectId));

/** The links of a buyer in the current month (UTC). */
export type LinkFigures = Awaited<ReturnType<typeof getLinkFigures>>;

/** A link that is lost or missing. `lostAt` is null for a link that may still be repaired. */
export type LostLink = { id: number; name: string; lostAt: Date | null; missingSince: Date | null };

const lostRow = z.object({
  id: z.int(),
  name: z.string(),
  lostAt: z.coerce.date().nullable(),
  missingSince: z.coerce.date().nullable(),
});

/** Lists the newest links that were lost this month, or that the newest check did not find. */
export async function listLostLinks(scope: AccountScope, keep = 5, on: Reading = db()): Promise<LostLink[]> {
  const columns = sql`order_id, broken_since, ended_at from ${linkWatches}
    where buyer_id = ${scope.accountId} and ${isInProjects(scope, linkWatches.projectId) ?? sql`true`}`;
  const rows = await on.execute(sql`
    select o.id, coalesce(nullif(o.website, ''), o.package_name) as name, w.ended_at as "lostAt",
      w.broken_since as "missingSince"
    from (
      (select ${columns} and end_reason = 'lost' and ended_at >= ${monthStart} order by ended_at desc limit ${keep})
      union all
      (select ${columns} and ended_at is null and verdict = 'broken' order by order_id desc limit ${keep})
    ) as w join ${orders} o on o.id = w.order_id and o.deleted_at is null
    order by coalesce(w.ended_at, w.broken_since) desc nulls last, o.id desc limit ${keep}`);
  return z.array(lostRow).parse([...rows]);
}

/** Lists what sellers owe a buyer next, the earliest due day first: overdue deliveries, deliveries and answers. */
export async function listNextDeliveries(scope: AccountScope, keep = 5, on: Reading = db()) {
  const now = new Date();
  const nextOf = (condition: typeof isToAnswer, dueAt: PgColumn) =>
    on
      .select({
        id: placements.orderId,
        website: orders.website,
        state: placements.state,
        answerDueAt: placements.answerDueAt,
        deliveryDueAt: placements.deliveryDueAt,
        dueAt: sql`${dueAt}`.mapWith((at: string): Date | null => new Date(at)).as('due_at'),
      })
      .from(placements)
      .innerJoin(orders, and(eq(orders.id, placements.orderId), isShown(scope)))
      .where(and(eq(placements.buyerId, scope.accountId), condition))
      .orderBy(dueAt, placements.orderId)
      .limit(keep);
  const rows = await unionAll(
    nextOf(isToAnswer, placements.answerDueAt),
    nextOf(isToPublish, placements.deliveryDueAt),
  );
  rows.sort((one, other) => (one.dueAt?.getTime() ?? 0) - (other.dueAt?.getTime() ?? 0) || one.id - other.id);
  return rows.slice(0, keep).map(({ id, website, state, answerDueAt, deliveryDueAt }) => ({
    ...{ id, website, state },
    answerDueAt: answerDueAt.toISOString(),
    deliveryDueAt: deliveryDueAt?.toISOString() ?? null,
    isLate: isLate({ state, deliveryDueAt }, now),
  }));
}

/** A delivery or an answer of a seller for which a buyer waits. */
export type NextDelivery = Awaited<ReturnType<typeof listNextDeliveries>>[number];

/** The newest orders of a buyer whose sites the spread of the domain rating covers. */
export const spreadOrders = 1_000;
/** The lowest domain rating of each band of the spread. */
export const drBands = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90] as const;

const bandRow = z.object({ band: z.int().nullable(), count: z.int() });

/**
 * Counts the placements that a buyer bought by the current domain rating of their sites, without rejected and refunded
 * orders. Reads the newest orders only.
 */
export async function getDrSpread(scope: AccountScope, on: Reading = db()) {
  const own = and(isInScope(scope, orders), isNull(orders.deletedAt));
  const newest = on
    .select({ siteId: orders.siteId, status: orders.status })
    .from(orders)
    .where(own)
    .orderBy(desc(orders.id))
    .limit(spreadOrders);
  const [rows, older] = await Promise.all([
    on.execute(sql`
      select case when ${sites.dr} >= ${drBands.at(-1)} then ${drBands.length - 1} else floor(${sites.dr} / 10) end::int as band, count(*)::int as count
      from ${newest} as newest join ${sites} on ${sites.id} = newest.site_id
      where newest.status not in ('Rejected', 'Refunded') group by 1`),
    on.select({ id: orders.id }).from(orders).where(own).orderBy(desc(orders.id)).limit(1).offset(spreadOrders),
  ]);
  const counts = new Map(
    z
      .array(bandRow)
      .parse([...rows])
      .map(({ band, count }) => [band, count]),
  );
  return {
    // The number of placements in each of `drBands`.
    counts: drBands.map((_, band) => counts.get(band) ?? 0),
    // Placements on sites without a domain rating.
    unknown: counts.get(null) ?? 0,
    // Whether the buyer has more orders than the newest 1,000, which are counted.
    isCapped: older.length > 0,
  };
}

export type DrSpread = Awaited<ReturnType<typeof getDrSpread>>;
