import { and, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { db } from '@/db/client';
import { type CappedCount, countCap, countUpTo, searchCountCap } from '@/db/count-up-to';
import { type IdRange, readIdPage } from '@/db/read-id-page';
import { readSortedPage } from '@/db/read-sorted-page';
import { isToRepair, linkWatches } from '@/db/schema/links';
import { isOpenChange, orderChanges } from '@/db/schema/order-changes';
import { orderSearchText, orders } from '@/db/schema/orders';
import {
  briefArticles,
  isToAnswer,
  isToPublish,
  orderBriefs,
  type PlacementState,
  placements,
} from '@/db/schema/placements';
import { textContains } from '@/db/search';
import type { Actor } from '@/lib/access/actor';
import type { PageRequest } from '@/lib/id-cursor';
import { listSpellings, normalizeSearch } from '@/lib/network/search-words';
import {
  type BriefRow,
  briefView,
  earningStates,
  extensionView,
  formerStates,
  isLate,
  linkView,
  type OptionRow,
  type PlacementRow,
  type PlacementTab,
  placementTabs,
  sellerOptionView,
} from '@/lib/orders/contract';
import { orderNotFoundError } from '@/lib/orders/placements/lock';
import {
  articleOfBrief,
  briefColumns,
  briefOfOrder,
  type CountedPage,
  optionsOfOrder,
  parseOrderNumber,
  placementColumns,
} from './queries';
import type { sellerOrderResponse } from './schemas';

/** What a seller may read of an order: nothing of the buyer, the project, the price and the margin. */
export type SellerOrderRow = {
  id: number;
  website: string;
  postType: string;
  orderedAt: Date;
  placement: PlacementRow;
  brief: BriefRow | null;
  options: OptionRow[];
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
      options: optionsOfOrder,
    })
    .from(placements)
    .innerJoin(orders, eq(orders.id, placements.orderId))
    .leftJoin(orderBriefs, briefOfOrder)
    .leftJoin(briefArticles, articleOfBrief);

/**
 * Returns an order of a site of the actor.
 * @throws AppError not_found for a deleted order, and for one of another seller, to avoid disclosing that it exists
 */
export async function getSellerOrder({ userId }: Pick<Actor, 'userId'>, id: number): Promise<SellerOrderRow> {
  const [row] = await selectSellerOrders().where(
    and(eq(placements.orderId, id), eq(placements.sellerId, userId), isNull(orders.deletedAt)),
  );
  if (!row) throw orderNotFoundError(id);
  return row;
}

type Filter = {
  /** A state, a tab of the queue with several states, or `earning` for all that can still bring money. */
  state?: PlacementState | PlacementTab | 'earning' | undefined;
  /** A search by the order's number or a part of the website's address. */
  q?: string | undefined;
};

/** Lists a page of the orders of a seller's sites, newest first, without those that staff deleted. */
export async function listSellerOrders(
  { userId }: Pick<Actor, 'userId'>,
  { limit, offset, cursor, ...filter }: Filter & PageRequest,
): Promise<CountedPage<SellerOrderRow>> {
  const [page, counted] = await Promise.all([
    readIdPage(placements.orderId, { limit, offset, cursor }, (range) =>
      selectSellerOrders()
        .where(sql`${placements.orderId} in ${selectIds(userId, filter, range)}`)
        .orderBy(range.orderBy),
    ),
    countSellerOrders(userId, filter),
  ]);
  return { ...page, ...counted };
}

/** The tabs in which the seller must act until a day: its column, and the condition that the index of the day has. */
const dueTabs = {
  new: { value: placements.answerDueAt, condition: isToAnswer },
  publish: { value: placements.deliveryDueAt, condition: isToPublish },
};

/** Checks whether the orders of a tab are due on a day. */
export const isDueTab = (tab: PlacementTab): tab is keyof typeof dueTabs => Object.hasOwn(dueTabs, tab);

/** Lists a page of the orders that a seller must answer or publish, the next due first: overdue ones begin the list. */
export async function listDueOrders(
  { userId }: Pick<Actor, 'userId'>,
  tab: keyof typeof dueTabs,
  request: PageRequest,
): Promise<CountedPage<SellerOrderRow>> {
  const { value, condition } = dueTabs[tab];
  const list = {
    id: placements.orderId,
    value,
    nulls: 'none',
    order: 'asc',
    from: placements,
    where: and(eq(placements.sellerId, userId), condition, isPresent),
  } as const;
  const [page, counted] = await Promise.all([
    readSortedPage(list, request, ({ where, orderBy, limit, offset }) =>
      selectSellerOrders().where(where).orderBy(orderBy).limit(limit).offset(offset),
    ),
    countSellerOrders(userId, { state: tab }),
  ]);
  return { ...page, ...counted };
}

/** Counts the orders of a seller's sites, up to a cap; of a search earlier, because it may read many that do not match. */
export const countSellerOrders = (sellerId: string, filter: Filter): Promise<CappedCount> =>
  countUpTo((limit) => selectIds(sellerId, filter, { limit }), undefined, filter.q?.trim() ? searchCountCap : countCap);

/** Lists the states of a filter; undefined for all, and for the tabs that have a condition of their own. */
function listStates(state: Filter['state']): readonly PlacementState[] | undefined {
  if (state === undefined || state === 'repair' || state === 'changes') return undefined;
  if (state === 'earning') return earningStates;
  return isTab(state) ? placementTabs[state] : [state];
}

const isTab = (state: PlacementState | PlacementTab): state is keyof typeof placementTabs =>
  Object.hasOwn(placementTabs, state);

/** Deleted orders are few, and an index of their own lists them. */
const isPresent = sql`not exists (
  select from ${orders} where ${orders.id} = ${placements.orderId} and ${orders.deletedAt} is not null)`;

type IdsRange = Partial<IdRange> & { limit: number };

/**
 * Selects the ids of a page: a union of lists in the same order, each read along its index only as far as the page.
 * Several states are one list each, because one list would read the placements of other states as well. A search is a
 * list of the websites and one of the order with the number, each of all states, because every list reads up to the
 * limit.
 */
function selectIds(sellerId: string, { state, q = '' }: Filter, range: IdsRange): SQL {
  const { where: inRange, orderBy = desc(placements.orderId), limit, offset = 0 } = range;
  const text = q.trim();
  const states = listStates(state);
  const own = (condition: SQL | undefined) => and(eq(placements.sellerId, sellerId), condition, isPresent, inRange);
  const end = sql`order by ${orderBy} limit ${limit + offset}`;
  const ownTabs = {
    repair: sql`select order_id, seller_id from ${linkWatches} where ${isToRepair}`,
    changes: sql`select order_id, seller_id from ${orderChanges} where ${isOpenChange}`,
  };
  const ownTab = state === 'repair' || state === 'changes' ? ownTabs[state] : undefined;
  const listOf = (condition: SQL | undefined, source = sql`${placements}`) =>
    sql`(select order_id from ${source} where ${own(condition)} ${end})`;
  const searched = own(
    ownTab
      ? sql`${placements.orderId} in (select order_id from (${ownTab}) as own_tab where seller_id = ${sellerId})`
      : states && inArray(placements.state, [...states]),
  );
  const lists =
    text === ''
      ? ownTab
        ? [listOf(undefined, sql`(${ownTab}) as ${placements}`)]
        : (states?.map((one) => listOf(eq(placements.state, one))) ?? [listOf(undefined)])
      : [
          sql`(select order_id from ${placements} join ${orders} on ${orders.id} = order_id
            where ${searched} and ${websiteContains(text)} ${end})`,
          sql`(select order_id from ${placements} where ${searched} and order_id = ${parseOrderNumber(text) ?? 0})`,
        ];
  const all = sql.join(lists, text === '' ? sql` union all ` : sql` union `);
  return sql`(select order_id from (${all}) as ${placements} order by ${orderBy} limit ${limit} offset ${offset})`;
}

/**
 * Searches the websites of orders. The index also covers the buyer's project, which a seller must not search. The
 * planner assumes that the second condition leaves a third of the matches; a second LIKE would be estimated as rare,
 * and all matches would be read.
 */
function websiteContains(text: string): SQL {
  const spellings = listSpellings(normalizeSearch(text));
  const isInWebsite = spellings.map((spelling) => sql`position(lower(${spelling}) in lower(${orders.website})) > 0`);
  return sql`${textContains(orderSearchText, ...spellings)} and (${sql.join(isInWebsite, sql` or `)})`;
}

export function sellerOrderView({
  id,
  website,
  postType,
  orderedAt,
  placement,
  brief,
  options,
}: SellerOrderRow): SellerOrderView {
  const { state, sellerCents, sellerReturnedCents, releasedAt, deliveredAt, approvedAt } = placement;
  const iso = (at: Date | null) => at?.toISOString() ?? null;
  // A former seller has no use for the brief and the checks, and they may change for the team.
  const isFormer = formerStates.includes(state);
  return {
    id,
    state,
    website,
    postType,
    brief: isFormer ? null : brief && briefView(brief),
    earnsCents: state === 'taken_over' ? 0 : sellerCents - sellerReturnedCents,
    currency: 'USD',
    answerDueAt: placement.answerDueAt.toISOString(),
    deliveryDueAt: iso(placement.deliveryDueAt),
    approveDueAt: state === 'delivered' ? iso(placement.approveDueAt) : null,
    version: placement.version,
    deliveredUrl: placement.deliveredUrl || null,
    deliveryReason: placement.deliveryReason || null,
    deliveredAt: iso(deliveredAt),
    revisionsLeft: Math.max(0, placement.maxRevisions - placement.revisionsUsed),
    approvedAt: iso(approvedAt),
    extension: extensionView(placement),
    releasedAt: iso(releasedAt),
    isLate: isLate(placement, new Date()),
    orderedAt: orderedAt.toISOString(),
    disputeId: placement.disputeId,
    ripeCents: placement.ripenedCents,
    options: isFormer ? [] : options.map(sellerOptionView),
    ...(!isFormer && linkView(placement)),
  };
}
