import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { db } from '@/db/client';
import { type CappedCount, countRows } from '@/db/count-up-to';
import { readIdPage } from '@/db/read-id-page';
import { type LinkStanding, linkChecks, linkStandings, linkWatches } from '@/db/schema/links';
import { hasLiveLink, orderStatuses, orders } from '@/db/schema/orders';
import type { Reader } from '@/db/snapshot';
import type { CursorPage, PageRequest } from '@/lib/id-cursor';
import { linkStanding } from '@/lib/links/watches';
import { isAwaitingDelivery } from '@/lib/orders/contract';
import { numberCursorField, pageQuery } from '@/lib/platform/http/fields';

const ofProject = (projectId: string) => and(eq(orders.projectId, projectId), isNull(orders.deletedAt));

/**
 * Counts a project's orders, those awaiting delivery, their links, and the links that are in place as far as is known, each
 * up to a cap.
 */
export async function getProjectOrderStats(projectId: string) {
  const [total, awaiting, links, liveLinks] = await Promise.all([
    countOrders(projectId),
    countOrders(projectId, isAwaitingDelivery),
    countOrders(projectId, hasLiveLink),
    countOrders(projectId, and(hasLiveLink, isInPlace)),
  ]);
  return { total, awaiting, links, liveLinks };
}
export type ProjectOrderStats = Awaited<ReturnType<typeof getProjectOrderStats>>;

/** The condition for links that the newest check did not miss. What a check cannot tell, and no check yet, is no loss. */
const isInPlace = sql`not exists (select from ${linkWatches} where ${linkWatches.orderId} = ${orders.id}
  and (${linkWatches.endReason} = 'lost' or ${linkWatches.verdict} = 'broken'))`;

const countOrders = (projectId: string, condition?: SQL) => countRows(orders, and(ofProject(projectId), condition));

const newestCheck = (column: PgColumn) =>
  sql<string | null>`(select ${column} from ${linkChecks} where ${linkChecks.orderId} = ${orders.id}
    order by ${linkChecks.id} desc limit 1)`;

const liveLinkColumns = {
  id: orders.id,
  orderId: orders.id,
  linkUrl: orders.linkUrl,
  /** Empty for a package. */
  website: orders.website,
  packageName: orders.packageName,
  status: orders.status,
  updatedAt: orders.updatedAt,
  targetUrl: sql<string>`coalesce(${linkWatches.targetUrl}, ${orders.projectTargetUrl})`,
  /** The newest check of the link, and the `rel` and the text that it found; null before the first. */
  verdict: linkStanding,
  checkedAt: linkWatches.checkedAt,
  rel: newestCheck(linkChecks.rel),
  anchor: newestCheck(linkChecks.anchor),
};

const selectLiveLinks = (on: Reader) =>
  on.select(liveLinkColumns).from(orders).leftJoin(linkWatches, eq(linkWatches.orderId, orders.id));
export type LiveLinkRow = Awaited<ReturnType<typeof selectLiveLinks>>[number];

/** The results of a project's links, each counted up to a cap. */
export type LinkCounts = Record<LinkStanding, CappedCount>;

/** Counts the links of a project by the result of their newest check, without those of orders that ended without a link. */
export async function countLinksByVerdict(projectId: string): Promise<LinkCounts> {
  const { verdict, endReason } = linkWatches;
  const count = (standing: LinkStanding) =>
    countRows(
      linkWatches,
      and(
        eq(linkWatches.projectId, projectId),
        // As in the index: a parameter does not match its condition.
        standing === 'lost'
          ? sql`${endReason} = 'lost'`
          : and(eq(verdict, standing), or(isNull(endReason), eq(endReason, 'over'))),
      ),
    );
  const [ok, changed, broken, unknown, lost] = await Promise.all([
    count('ok'),
    count('changed'),
    count('broken'),
    count('unknown'),
    count('lost'),
  ]);
  return { ok, changed, broken, unknown, lost };
}

/** Lists a project's live links, newest order first. */
export async function listLiveLinks(
  projectId: string,
  page: PageRequest,
): Promise<CursorPage<LiveLinkRow> & CappedCount> {
  const [found, counted] = await Promise.all([
    readIdPage(orders.id, page, (range) =>
      selectLiveLinks(db())
        .where(and(ofProject(projectId), hasLiveLink, range.where))
        .orderBy(range.orderBy)
        .limit(range.limit)
        .offset(range.offset),
    ),
    countOrders(projectId, hasLiveLink),
  ]);
  return { ...found, ...counted };
}

const spendRow = z
  .object({ paid: z.coerce.number(), returned: z.coerce.number(), unlisted: z.coerce.number() })
  .transform(({ paid, returned, unlisted }) => ({
    spentCents: paid - returned,
    refundedCents: returned,
    unlistedCents: unlisted,
  }));

/** Amounts in USD cents. `spentCents` excludes `refundedCents`; `unlistedCents` is the share of deleted orders. */
export type ProjectSpend = z.output<typeof spendRow>;

/** Calculates from the ledger what a project has cost, including deleted orders: what left wallets and returned to them. */
export async function getProjectSpend(projectId: string): Promise<ProjectSpend> {
  const rows = await db().execute(sql`
    with newer as (
      select t.from_account, t.to_account, t.amount_cents
      from ledger.transfers_since_rollup() t
      left join ledger.transfers undone on undone.id = t.reverses_id and t.order_id is null
      join public.orders o on o.id = coalesce(t.order_id, undone.order_id)
      where o.project_id = ${projectId}
    ),
    sums as (
      select paid_cents as paid, returned_cents as returned from project_rollups where project_id = ${projectId}
      union all
      ${selectWalletSides(sql`newer`)}
    ),
    hidden as (
      select t.id, t.from_account, t.to_account, t.amount_cents
      from public.orders o join ledger.transfers t on t.order_id = o.id
      where o.project_id = ${projectId} and o.deleted_at is not null
    ),
    moved as (
      select from_account, to_account, amount_cents from hidden
      union all
      select undone.from_account, undone.to_account, undone.amount_cents
      from hidden join ledger.transfers undone on undone.reverses_id = hidden.id and undone.order_id is null
    ),
    unlisted as (${selectWalletSides(sql`moved`)})
    select
      (select coalesce(sum(paid), 0) from sums) as paid,
      (select coalesce(sum(returned), 0) from sums) as returned,
      (select coalesce(sum(paid - returned), 0) from unlisted) as unlisted`);
  return spendRow.parse(rows[0]);
}

/** Selects what each transfer of a CTE took from a wallet and returned to one; both are 0 between the platform and a seller. */
const selectWalletSides = (moves: SQL) => sql`
  select case when f.kind = 'wallet' then amount_cents else 0 end as paid,
    case when g.kind = 'wallet' then amount_cents else 0 end as returned
  from ${moves} join ledger.accounts f on f.id = from_account join ledger.accounts g on g.id = to_account`;

/** The query of GET /api/user/projects/{id}/links. */
export const projectLinksQuery = pageQuery(100, 200).extend({
  cursor: numberCursorField.describe('The `next` of an earlier response.'),
});

const counted = z.object({ total: z.int(), isCapped: z.boolean().describe('Whether there are more than `total`.') });

/** The live links of a project with the results of their newest checks. */
export const projectLinksResponse = z
  .object({
    counts: z
      .object({ ok: counted, changed: counted, broken: counted, unknown: counted, lost: counted })
      .describe('The number of links by the result of their newest check.'),
    links: z
      .array(
        z.object({
          orderId: z.int(),
          linkUrl: z.string(),
          website: z.string(),
          packageName: z.string(),
          status: z.enum(orderStatuses),
          targetUrl: z.string(),
          verdict: z.enum(linkStandings).nullable().describe('Null before the first check.'),
          checkedAt: z.iso.datetime().nullable(),
          rel: z.string().nullable(),
          anchor: z.string().nullable(),
        }),
      )
      .describe('Newest order first.'),
    total: z.int(),
    next: z.string().nullable().describe('The `cursor` of the next page; null on the last one.'),
  })
  .meta({ title: 'ProjectLinks' });

/** Reads a page of the live links of a project, with the counts of all of them. */
export async function getProjectLinks(
  projectId: string,
  query: z.output<typeof projectLinksQuery>,
): Promise<z.output<typeof projectLinksResponse>> {
  const [counts, { rows, total, next }] = await Promise.all([
    countLinksByVerdict(projectId),
    listLiveLinks(projectId, query),
  ]);
  return { counts, links: rows.map(linkView), total, next };
}

function linkView(row: LiveLinkRow): z.output<typeof projectLinksResponse>['links'][number] {
  const { orderId, linkUrl, website, packageName, status, targetUrl, verdict, checkedAt, rel, anchor } = row;
  return {
    ...{ orderId, linkUrl, website, packageName, status, targetUrl, verdict, rel, anchor },
    checkedAt: checkedAt?.toISOString() ?? null,
  };
}
