import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import { linkChecks, linkWatches } from '@/db/schema/links';
import { orders } from '@/db/schema/orders';
import { isLate, placementEvents, placements } from '@/db/schema/placements';
import type { fulfilmentRecords } from '@/db/schema/records';
import { sites } from '@/db/schema/sites';
import { getPlacementRules } from '@/lib/settings/placement-rules';
import { estimateSurvival, getWilsonLowerBound, type Lifetimes } from './statistics';

/** The orders and links below which nothing is shown. */
export const leastCases = 5;
/** The share of links alive after 90 days that counts for the order by reliability while it is not known. */
const unknownAlive = 0.5;

/** Whose record: listings or sellers, by their ids. */
export type Subjects = { kind: 'site'; ids: readonly number[] } | { kind: 'seller'; ids: readonly string[] };
export type ComputedRecord = Omit<
  typeof fulfilmentRecords.$inferSelect,
  'id' | 'siteId' | 'sellerId' | 'day' | 'computedAt' | 'isCopied'
>;

const lifetime = z.tuple([z.int(), z.int(), z.boolean(), z.int()]);
const row = z.object({
  subject: z.coerce.string(),
  orders: z.int(),
  accepted: z.int(),
  acceptedInTime: z.int(),
  deliveredInTime: z.int(),
  medianDays: z.number().nullable(),
  revisions: z.int(),
  disputesLost: z.int(),
  lifetimes: z.array(lifetime).nullable(),
  links30: z.int(),
  links90: z.int(),
  links365: z.int(),
});

/**
 * Computes the records of listings or sellers from their orders. The database aggregates, so that memory does not grow
 * with the orders.
 * @param day the day (UTC) with which the 12 months end
 * @returns the records by id; a subject without orders and links has none
 */
export async function computeRecords(
  on: Executor,
  { kind, ids }: Subjects,
  day: string,
): Promise<Map<string, ComputedRecord>> {
  if (ids.length === 0) return new Map();
  const { deliveryGraceDays } = await getPlacementRules(on);
  const rows = await on.execute(sql`
    with facts as materialized (${selectFacts(kind, ids, day, deliveryGraceDays)}),
    lifetimes as (
      select subject, jsonb_agg(jsonb_build_array(counts_from, days, is_lost, links)) as lifetimes
      from (
        select subject, counts_from, days, is_lost, count(*) as links from facts where counts_from is not null
        group by 1, 2, 3, 4
      ) as grouped group by subject
    )
    select sums.*, lifetimes.lifetimes from (select subject, count(*) filter (where is_order)::int as orders,
      count(*) filter (where is_order and is_accepted)::int as accepted,
      count(*) filter (where is_order and is_accepted_in_time)::int as "acceptedInTime",
      count(*) filter (where is_order and is_accepted and is_delivered_in_time)::int as "deliveredInTime",
      percentile_cont(0.5) within group (order by days_to_delivery)
        filter (where is_order and is_accepted) as "medianDays",
      coalesce(sum(revisions) filter (where is_order), 0)::int as revisions,
      coalesce(sum(disputes_lost) filter (where is_order), 0)::int as "disputesLost",
      ${countLinks(30)} as links30, ${countLinks(90)} as links90, ${countLinks(365)} as links365
    from facts group by subject) as sums left join lifetimes on lifetimes.subject = sums.subject`);
  return new Map(
    z
      .array(row)
      .parse([...rows])
      .map((one) => [one.subject, assemble(one)]),
  );
}

/** Counts the links that went live at least some days before the end of the window, or were lost earlier. */
const countLinks = (days: number) =>
  sql`count(*) filter (where counts_from <= ${days} and (age >= ${days} or (is_lost and days <= ${days})))::int`;

const dayOf = (time: SQL) => sql`(${time} at time zone 'UTC')::date`;

/**
 * Selects the facts of each order of the window, and of those of the 12 months before it for their links. `counts_from` is
 * the least number of days (30, 90 or 365) after which the link counts: a day in the window or later.
 * docs/internals/records.md has the definitions.
 */
function selectFacts(kind: Subjects['kind'], ids: Subjects['ids'], day: string, graceDays: number): SQL {
  const end = sql`${day}::date`;
  const start = sql`(${end} - interval '12 months')`;
  const list = sql`array[${sql.join(
    ids.map((id) => sql`${id}`),
    sql`, `,
  )}]`;
  const ofSubject =
    kind === 'site'
      ? sql`o.site_id = any(${list}::int[])`
      : sql`p.seller_id = any(${list}::text[]) and p.state <> 'taken_over'
          and not (p.answer is not distinct from 'accepted' and p.answer_role is not distinct from 'staff')
          and delivery.role is distinct from 'staff'`;
  return sql`
    select subject, created_at >= ${start} at time zone 'UTC' and not is_excluded as is_order, is_accepted, is_accepted_in_time,
      is_delivered_in_time, revisions, disputes_lost,
      extract(epoch from greatest(delivered_at - accepted_at, interval '0'))::float8 / 86400 as days_to_delivery,
      case when live_day >= ${start}::date - 30 then 30 when live_day >= ${start}::date - 90 then 90
        when live_day >= ${start}::date - 365 then 365 end as counts_from,
      greatest(0, last_day - live_day) as days,
      ${end} - live_day as age, is_lost
    from (
      select ${kind === 'site' ? sql`o.site_id` : sql`p.seller_id`} as subject, o.created_at,
        case when desk.is_desk then o.status in ('Rejected', 'Refunded') and w.order_id is null
          else p.answer is not distinct from 'cancelled'
            or (p.state = 'declined' and p.answer_role = 'staff')
            or (p.state = 'cancelled' and exists (
              select from ${placementEvents} event where event.order_id = o.id and event.to_state = 'cancelled'
                and event.role = 'staff')) end as is_excluded,
        coalesce(p.answer = 'accepted', false) or (desk.is_desk and o.status <> 'Pending') as is_accepted,
        coalesce(p.answer = 'accepted' and p.answered_at <= p.answer_due_at, desk.is_desk and o.status <> 'Pending')
          as is_accepted_in_time,
        coalesce(case when desk.is_desk then live.at <= coalesce(p.delivery_due_at,
            o.created_at + make_interval(days => coalesce(p.turnaround_days, s.tat_days) + ${graceDays}))
          else p.delivered_at is not null and p.state <> 'cancelled' and not ${isLate(sql`p`)} end, false)
          as is_delivered_in_time,
        case when p.answer = 'accepted' then p.answered_at when desk.is_desk then o.created_at end as accepted_at,
        case when desk.is_desk then live.at else coalesce(delivery.at, p.delivered_at) end as delivered_at,
        coalesce(p.revisions_used, 0) as revisions,
        (select count(*) from disputes d where d.order_id = o.id and d.state = 'settled' and d.buyer_percent >= 50)
          as disputes_lost,
        ${dayOf(sql`case when desk.is_desk then live.at when p.approved_at is not null then p.approved_at
          when p.state = 'settled' and w.end_reason = 'over' then w.started_at end`)} as live_day,
        ${dayOf(sql`case when loss.is_lost and w.end_reason is distinct from 'lost' then w.broken_confirmed_at
          else coalesce(w.ended_at, ${end}::timestamp at time zone 'UTC') end`)} as last_day,
        loss.is_lost
      from ${orders} o
      join ${sites} s on s.id = o.site_id
      left join ${placements} p on p.order_id = o.id
      left join ${linkWatches} w on w.order_id = o.id
      left join lateral (
        select event.at, event.role from ${placementEvents} event
        where event.order_id = p.order_id and event.action = 'delivered' order by event.id limit 1
      ) as delivery on true
      cross join lateral (select p.order_id is null or p.state = 'taken_over' as is_desk) as desk
      left join lateral (
        -- The watch of another page of the order starts again.
        select least(w.started_at, (select c.at from ${linkChecks} c where c.order_id = o.id order by c.id limit 1)) as at
        where desk.is_desk and w.seller_id is null and w.order_id is not null
      ) as live on true
      cross join lateral (
        select coalesce(w.end_reason = 'lost' or ((w.ended_at is not null or desk.is_desk)
          and w.broken_confirmed_at is not null), false) as is_lost
      ) as loss
      where ${ofSubject} and o.deleted_at is null
        and o.created_at >= (${start} - interval '12 months') at time zone 'UTC'
    ) as orders_of_subjects`;
}

function assemble({ lifetimes, links30, links90, links365, ...sums }: z.output<typeof row>): ComputedRecord {
  const { orders, accepted, acceptedInTime, deliveredInTime, medianDays, revisions, disputesLost } = sums;
  const aliveAfter = (days: number, links: number) => {
    const counted = (lifetimes ?? []).flatMap(([countsFrom, observed, isLost, count]): Lifetimes[] =>
      countsFrom <= days ? [{ days: observed, isLost, count }] : [],
    );
    // A few links that were watched for longer than all others do not tell of these.
    const known = counted.reduce((sum, one) => (one.isLost || one.days >= days ? sum + one.count : sum), 0);
    const share = Math.min(links, known) < leastCases ? null : estimateSurvival(counted, days);
    return share === null ? null : { share, links };
  };
  const alive = { '30': aliveAfter(30, links30), '90': aliveAfter(90, links90), '365': aliveAfter(365, links365) };
  const share = (part: number, all: number) => (all === 0 ? 0 : part / all);
  const inTime = share(deliveredInTime, accepted);
  return {
    orders,
    accepted,
    acceptedInTime: share(acceptedInTime, orders),
    deliveredInTime: inTime,
    medianDays: medianDays === null ? null : Math.round(medianDays * 100) / 100,
    revisionsPerOrder: share(revisions, orders),
    disputesLost,
    alive,
    reliability:
      orders < leastCases ? null : getWilsonLowerBound(inTime * (alive['90']?.share ?? unknownAlive), accepted),
  };
}
