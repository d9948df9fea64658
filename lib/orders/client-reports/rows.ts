import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { figureSources } from '@/db/enums';
import { clientReportNotes, type clientReports } from '@/db/schema/client-reports';
import { linkChecks, linkProofs, linkWatches } from '@/db/schema/links';
import { orders } from '@/db/schema/orders';
import { orderBriefs, placements } from '@/db/schema/placements';
import { sites } from '@/db/schema/sites';
import { getHost, parseWebAddress } from '@/lib/network/web-address';
import { selectFiguresOfDay } from '@/lib/sites/domain-figures/rank';

/** The rows of a report; the page, CSV and PDF say when there are more. */
export const maxReportRows = 2_000;

const reportStatuses = ['live', 'replaced', 'pending', 'review', 'lost'] as const;
export type ReportStatus = (typeof reportStatuses)[number];

/**
 * Selects the links of a project: its orders that were neither paid back nor declined without a link. A link that two
 * checks missed is `pending` until it is repaired or lost. It is `replaced` if a check found it on another page before.
 * Placements and watches are looked up for each order: the planner would join all of them.
 */
const selectLinks = (projectId: string): SQL => sql`
  select o.id, o.site_id, o.created_at, state.status,
    case when state.status = 'pending' and not state.is_missing then null
      else coalesce(
        case when p.state <> 'taken_over' then p.delivered_at end,
        (select min(c.at) from ${linkChecks} c where c.order_id = o.id and c.found),
        w.started_at, o.updated_at
      ) end as live_at,
    case when state.status = 'lost' then coalesce(w.ended_at, p.ended_at, o.updated_at) end as lost_at
  from ${orders} o
  left join lateral (select * from ${placements} where order_id = o.id limit 1) as p on true
  left join lateral (select * from ${linkWatches} where order_id = o.id limit 1) as w on true
  cross join lateral (
    select case
      when p.state = 'lost' or w.end_reason = 'lost' then 'lost'
      when p.state = 'delivered' or (p.state = 'disputed' and p.approved_at is null) then 'review'
      when p.state in ('offered', 'accepted', 'in_revision') then 'pending'
      when o.status in ('Refunded', 'Rejected') then null
      when o.link_url = '' or o.status not in ('Live', 'Completed') then 'pending'
      when w.broken_confirmed_at is not null and w.ended_at is null then 'pending'
      when exists (
        select from ${linkChecks} c where c.order_id = o.id and c.found and c.page_url <> w.page_url
          and c.at >= coalesce(case when p.state <> 'taken_over' then p.delivered_at end, '-infinity')
      ) then 'replaced'
      else 'live' end as status,
      w.broken_confirmed_at is not null and w.ended_at is null and o.link_url <> '' as is_missing
  ) as state
  where o.project_id = ${projectId} and o.deleted_at is null and state.status is not null`;

const startOf = (day: string) => sql`(${day}::date::timestamp at time zone 'utc')`;
const endOf = (day: string) => sql`((${day}::date + 1)::timestamp at time zone 'utc')`;
const toDay = (at: SQL) => sql`to_char(${at} at time zone 'utc', 'YYYY-MM-DD')`;

const found = z.object({
  orderId: z.coerce.number(),
  status: z.enum(reportStatuses),
  reference: z.string(),
  note: z.string(),
  address: z.string(),
  website: z.string(),
  dr: z.coerce.number().nullable(),
  drSource: z.enum(figureSources).nullable(),
  target: z.string(),
  /** Null if no check found the link. */
  anchor: z.string().nullable(),
  rel: z.string().nullable(),
  orderedAnchor: z.string(),
  dayLive: z.string().nullable(),
  indexable: z.boolean().nullable(),
  dayChecked: z.string().nullable(),
  proofId: z.string().nullable(),
  paidCents: z.coerce.number(),
});

/** A row of a report, with all that its page, CSV and PDF show. The price is the agency's own. */
export type ReportRow = Omit<z.output<typeof found>, 'paidCents' | 'website' | 'orderedAnchor'> & {
  domain: string;
  /** The text of the link; before a check that of the brief. */
  anchor: string;
  priceCents: number | null;
};

export type ReportScope = Pick<
  typeof clientReports.$inferSelect,
  'projectId' | 'fromDay' | 'toDay' | 'prices' | 'markupPercent' | 'fixedCents'
>;

/**
 * Lists the rows of a report: the links that went live in its period, the latest first, those that were lost in it, and
 * after them the orders that are waited for at its end. `isCut` says that there are more than the limit.
 */
export async function listReportRows(
  scope: ReportScope,
  limit = maxReportRows,
): Promise<{ rows: ReportRow[]; isCut: boolean }> {
  const { projectId, fromDay, toDay: last } = scope;
  const dr = sql`lateral (${selectFiguresOfDay(['dr'], sql`(link.live_at at time zone 'utc')::date`)})`;
  const read = await db().execute(sql`
    with links as (
      select * from (${selectLinks(projectId)}) as link
      where case when link.status in ('pending', 'review')
        then coalesce(link.live_at, link.created_at) < ${endOf(last)}
        else (link.live_at >= ${startOf(fromDay)} and link.live_at < ${endOf(last)})
          or (link.lost_at >= ${startOf(fromDay)} and link.lost_at < ${endOf(last)}) end
      order by link.live_at desc nulls last, link.id desc
      limit ${limit + 1}
    )
    select link.id as "orderId", link.status, coalesce(note.reference, '') as reference, coalesce(note.note, '') as note,
      coalesce(nullif(o.link_url, ''), case when p.state <> 'taken_over' then p.delivered_url end, '') as address,
      o.website, figure.value as dr, figure.source as "drSource",
      coalesce(seen.target_url, w.target_url, nullif(brief.target_url, ''), o.project_target_url) as target,
      seen.anchor, seen.rel, coalesce(brief.anchor, '') as "orderedAnchor", ${toDay(sql`link.live_at`)} as "dayLive",
      newest.indexable, ${toDay(sql`w.checked_at`)} as "dayChecked", proof.id as "proofId",
      o.charged_cents - coalesce(p.seller_returned_cents + p.margin_returned_cents, 0) as "paidCents"
    from links link
    join ${orders} o on o.id = link.id
    left join ${placements} p on p.order_id = o.id
    left join ${linkWatches} w on w.order_id = o.id
    left join ${orderBriefs} brief on brief.order_id = o.id
    left join ${clientReportNotes} note on note.order_id = o.id
    left join ${sites} on ${sites.id} = link.site_id
    left join ${dr} as figure on link.live_at is not null
    left join lateral (
      select c.anchor, c.rel, c.target_url from ${linkChecks} c where c.order_id = o.id and c.found order by c.id desc limit 1
    ) as seen on true
    left join lateral (
      select c.indexable from ${linkChecks} c where c.order_id = o.id order by c.id desc limit 1
    ) as newest on true
    left join lateral (
      select l.id from ${linkProofs} l where l.order_id = o.id and l.revoked_at is null order by l.id desc limit 1
    ) as proof on true
    order by link.live_at desc nulls last, link.id desc`);
  const rows = z.array(found).parse([...read]);
  return {
    rows: rows.slice(0, limit).map((row) => toReportRow(row, scope)),
    isCut: rows.length > limit,
  };
}

function toReportRow(row: z.output<typeof found>, scope: ReportScope): ReportRow {
  const { paidCents, website, orderedAnchor, ...shown } = row;
  const url = parseWebAddress(row.address || website)?.url;
  return {
    ...shown,
    anchor: row.anchor ?? orderedAnchor,
    domain: url ? getHost(url).replace(/^www\./, '') : '',
    priceCents: row.status === 'live' || row.status === 'replaced' ? computeClientPrice(paidCents, scope) : null,
  };
}

/** What a client sees of prices. */
export type ClientPrices = Pick<ReportScope, 'prices' | 'markupPercent' | 'fixedCents'>;

/** Computes the agency's price of a link; null without prices. */
export function computeClientPrice(
  paidCents: number,
  { prices, markupPercent, fixedCents }: ClientPrices,
): number | null {
  if (prices === 'fixed') return fixedCents;
  return prices === 'markup' && markupPercent !== null ? Math.round((paidCents * (100 + markupPercent)) / 100) : null;
}

const monthRows = z.array(z.object({ month: z.string(), live: z.coerce.number(), lost: z.coerce.number() }));
export type HealthMonth = z.output<typeof monthRows>[number];

/** Counts the links of a project that are live at the end of each of the last twelve months, and those lost in it. */
export async function listHealth({ projectId, toDay: last }: ReportScope): Promise<HealthMonth[]> {
  const read = await db().execute(sql`
    with links as materialized (select live_at, lost_at from (${selectLinks(projectId)}) as link
      where link.status in ('live', 'replaced', 'lost') or (link.status = 'pending' and link.live_at is not null)),
    ends as (
      select month, least(month + interval '1 month', ${endOf(last)} at time zone 'utc', now() at time zone 'utc') as ends
      from (
        select generate_series(m - interval '11 months', m, interval '1 month') as month
        from (select date_trunc('month', least(${last}::date::timestamp, now() at time zone 'utc')) as m) as newest
      ) as months
    )
    select to_char(month, 'YYYY-MM') as month,
      count(*) filter (where live_at < ends at time zone 'utc' and (lost_at is null or lost_at >= ends at time zone 'utc')) as live,
      count(*) filter (where lost_at >= month at time zone 'utc' and lost_at < ends at time zone 'utc') as lost
    from ends left join links on true
    group by month order by month`);
  return monthRows.parse([...read]);
}
