import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { db } from '../../../db/client';
import { countUpTo } from '../../../db/count-up-to';
import { type IdRange, readIdPage } from '../../../db/read-id-page';
import { orders } from '../../../db/schema/orders';
import { briefArticles, orderBriefs, type PlacementState, placements } from '../../../db/schema/placements';
import type { Actor } from '../../access/actor';
import type { PageRequest } from '../../id-cursor';
import {
  articleOfBrief,
  briefColumns,
  briefOfOrder,
  type CountedPage,
  orderNotFoundError,
  placementColumns,
} from '../queries';
import type { sellerOrderResponse } from '../responses';
import { type BriefRow, briefView, extensionView, type PlacementRow } from '../views';
import { isLate, type PlacementTab, placementTabs } from './states';

/** What a seller may read of an order: nothing of the buyer, the project, the price and the margin. */
export type SellerOrderRow = {
  id: number;
  website: string;
  postType: string;
  orderedAt: Date;
  placement: PlacementRow;
  brief: BriefRow | null;
};

/** An order as the seller of its site sees it. */
export type SellerOrderView = z.output<typeof sellerOrderResponse>;

const selectSellerOrders = () =>
  db()
    .select({
      id: orders.id,
      website: orders.website,
      postType: orders.postType,
      orderedAt: orders.createdAt,
      placement: placementColumns,
      brief: briefColumns,
    })
    .from(placements)
    .innerJoin(orders, eq(orders.id, placements.orderId))
    .leftJoin(orderBriefs, briefOfOrder)
    .leftJoin(briefArticles, articleOfBrief);

/**
 * Returns an order of a site of the actor.
 * @throws AppError not_found, also for an order of another seller, to avoid disclosing that it exists
 */
export async function getSellerOrder({ userId }: Pick<Actor, 'userId'>, id: number): Promise<SellerOrderRow> {
  const [row] = await selectSellerOrders().where(and(eq(placements.orderId, id), eq(placements.sellerId, userId)));
  if (!row) throw orderNotFoundError(id);
  return row;
}

type Filter = {
  /** A state, or a tab of the queue with several states. */
  state?: PlacementState | PlacementTab | undefined;
};

/** Lists a page of the orders of a seller's sites, newest first. Orders that staff deleted are included. */
export async function listSellerOrders(
  { userId }: Pick<Actor, 'userId'>,
  { limit, offset, cursor, state }: Filter & PageRequest,
): Promise<CountedPage<SellerOrderRow>> {
  const states = listStates(state);
  const [page, counted] = await Promise.all([
    readIdPage(placements.orderId, { limit, offset, cursor }, (range) =>
      selectSellerOrders()
        .where(sql`${placements.orderId} in ${selectIds(userId, states, range)}`)
        .orderBy(range.orderBy),
    ),
    countSellerOrders(userId, state),
  ]);
  return { ...page, ...counted };
}

/** Counts the orders of a seller's sites, up to a cap. */
const countSellerOrders = (sellerId: string, state?: Filter['state']) =>
  countUpTo(
    (limit) =>
      sql`(select 1 from ${placements} where ${and(ownedBy(sellerId), inStates(listStates(state)))} limit ${limit})`,
  );

/** @returns undefined for all states */
const listStates = (state: Filter['state']): readonly PlacementState[] | undefined =>
  state === undefined ? undefined : isTab(state) ? placementTabs[state] : [state];

const isTab = (state: PlacementState | PlacementTab): state is PlacementTab => Object.hasOwn(placementTabs, state);
const ownedBy = (sellerId: string): SQL => eq(placements.sellerId, sellerId);
const inStates = (states: readonly PlacementState[] | undefined): SQL | undefined =>
  states && sql`${placements.state} in ${[...states]}`;

/**
 * The ids of a page. Several states are a union of one list for each, read along its index only as far as the page:
 * one list would read all placements of other states as well.
 */
function selectIds(
  sellerId: string,
  states: readonly PlacementState[] | undefined,
  { where, orderBy, limit, offset }: IdRange,
): SQL {
  const select = (state: PlacementState | undefined, page: SQL) =>
    sql`(select order_id from ${placements} where ${and(ownedBy(sellerId), inStates(state && [state]), where)} order by ${orderBy} ${page})`;
  const page = sql`limit ${limit} offset ${offset}`;
  if (states === undefined || states.length === 1) return select(states?.[0], page);
  const parts = states.map((state) => select(state, sql`limit ${limit + offset}`));
  return sql`(select order_id from (${sql.join(parts, sql` union all `)}) as ${placements} order by ${orderBy} ${page})`;
}

export function sellerOrderView({
  id,
  website,
  postType,
  orderedAt,
  placement,
  brief,
}: SellerOrderRow): SellerOrderView {
  const { state, sellerCents, sellerReturnedCents, releasedAt, deliveredAt, approvedAt } = placement;
  const iso = (at: Date | null) => at?.toISOString() ?? null;
  return {
    id,
    state,
    website,
    postType,
    brief: brief && briefView(brief),
    earnsCents: state === 'taken_over' ? 0 : sellerCents - sellerReturnedCents,
    currency: 'USD',
    answerDueAt: placement.answerDueAt.toISOString(),
    deliveryDueAt: iso(placement.deliveryDueAt),
    approveDueAt: state === 'delivered' ? iso(placement.approveDueAt) : null,
    version: placement.version,
    deliveredUrl: placement.deliveredUrl || null,
    deliveredAt: iso(deliveredAt),
    revisionsLeft: Math.max(0, placement.maxRevisions - placement.revisionsUsed),
    approvedAt: iso(approvedAt),
    extension: extensionView(placement),
    releasedAt: iso(releasedAt),
    isLate: isLate(placement, new Date()),
    orderedAt: orderedAt.toISOString(),
    disputeId: placement.disputeId,
  };
}
