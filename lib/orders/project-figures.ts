import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';
import { type CappedCount, countUpTo } from '../../db/count-up-to';
import { readIdPage } from '../../db/read-id-page';
import { hasLiveLink, type OrderStatus, orders } from '../../db/schema/orders';
import type { CursorPage, PageRequest } from '../id-cursor';
import { isAwaitingDelivery } from './buyer-status';

const ofProject = (projectId: string) => and(eq(orders.projectId, projectId), isNull(orders.deletedAt));

/** Summary figures of a project's orders, each counted up to a cap. */
export type ProjectOrderStats = { total: CappedCount; awaiting: CappedCount; liveLinks: CappedCount };

export async function getProjectOrderStats(projectId: string): Promise<ProjectOrderStats> {
  const [total, awaiting, liveLinks] = await Promise.all([
    countOrders(projectId),
    countOrders(projectId, isAwaitingDelivery),
    countOrders(projectId, hasLiveLink),
  ]);
  return { total, awaiting, liveLinks };
}

const countOrders = (projectId: string, condition?: SQL) =>
  countUpTo((limit) =>
    db()
      .select({ one: sql`1`.as('one') })
      .from(orders)
      .where(and(ofProject(projectId), condition))
      .limit(limit),
  );

export type LiveLinkRow = {
  orderId: number;
  linkUrl: string;
  /** The site's URL; empty for a package. */
  website: string;
  packageName: string;
  status: OrderStatus;
  updatedAt: Date;
};

/** Lists a project's live links, newest order first. */
export async function listLiveLinks(
  projectId: string,
  page: PageRequest,
): Promise<CursorPage<LiveLinkRow> & CappedCount> {
  const [found, counted] = await Promise.all([
    readIdPage(orders.id, page, (range) =>
      db()
        .select({
          id: orders.id,
          orderId: orders.id,
          linkUrl: orders.linkUrl,
          website: orders.website,
          packageName: orders.packageName,
          status: orders.status,
          updatedAt: orders.updatedAt,
        })
        .from(orders)
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

/** What each transfer of a CTE took from a wallet and returned to one; both are 0 between the platform and a seller. */
const selectWalletSides = (moves: SQL) => sql`
  select case when f.kind = 'wallet' then amount_cents else 0 end as paid,
    case when g.kind = 'wallet' then amount_cents else 0 end as returned
  from ${moves} join ledger.accounts f on f.id = from_account join ledger.accounts g on g.id = to_account`;
