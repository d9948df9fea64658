import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { db } from '@/db/client';
import { type CappedCount, countCap, countRows, countUpTo, searchCountCap } from '@/db/count-up-to';
import { perRow } from '@/db/per-row';
import { type IdRange, readIdPage } from '@/db/read-id-page';
import { type ListOrder, readSortedPage } from '@/db/read-sorted-page';
import { type OrderStatus, orderSearchText, orders } from '@/db/schema/orders';
import { isToPublish, type PlacementState, placements } from '@/db/schema/placements';
import { users } from '@/db/schema/users';
import { textContains } from '@/db/search';
import type { Reader } from '@/db/snapshot';
import type { CursorPage, PageRequest } from '@/lib/id-cursor';
import { listSpellings, normalizeSearch } from '@/lib/network/search-words';
import { orderHasTag } from '@/lib/notes/tags';
import type { AdminOrderRow } from '@/lib/orders/contract';
import { findMatchingAccounts, isMatchingAccount } from '@/lib/users/search-accounts';
import { type CountedPage, parseOrderNumber, selectAdminOrders } from './queries';
import type { adminOrderSortKeys } from './schemas';

/** The filter of the staff's order list. */
export type AdminOrdersFilter = {
  /** Searches id, website, package, buyer, seller, project and live link. */
  q?: string | undefined;
  status?: OrderStatus | undefined;
  /** The account that bought: a user's id, or that of a team. */
  userId?: string | undefined;
  /** The id of the person who placed the order, for an account of which he or she is a member. */
  orderedBy?: string | undefined;
  /** `staff`, `seller` for any seller, or the id of a seller. */
  fulfilledBy?: string | undefined;
  state?: PlacementState | undefined;
  /** Deliveries that are due on the current day (UTC), or on it and the six days after it. */
  due?: 'today' | 'week' | undefined;
  mark?: 'late' | 'disputed' | 'contact' | undefined;
  /** An internal tag. */
  tag?: string | undefined;
};

type OrderSort = { sort?: (typeof adminOrderSortKeys)[number] | undefined; order?: 'asc' | 'desc' | undefined };

/** Checks whether a list of orders is read along an index that leaves out deleted ones. */
const hasOwnIndex = ({ status, userId, orderedBy, fulfilledBy, mark }: AdminOrdersFilter): boolean =>
  Boolean(status || userId || orderedBy) || fulfilledBy === 'staff' || mark === 'contact';

const adminCondition = (filter: AdminOrdersFilter, isIndexed = hasOwnIndex(filter)) => {
  const { status, userId, orderedBy, fulfilledBy, mark, tag } = filter;
  return and(
    isIndexed ? isNull(orders.deletedAt) : perRow(isNull(orders.deletedAt)),
    status && eq(orders.status, status),
    userId ? eq(orders.accountId, userId) : undefined,
    // The orders of a person's accounts are read along the index of the account.
    orderedBy
      ? and(
          eq(orders.orderedBy, orderedBy),
          sql`${orders.accountId} in (select account_id from account_members where user_id = ${orderedBy})`,
        )
      : undefined,
    // As the index `orders_of_staff_idx` has it.
    fulfilledBy === 'staff' ? sql`not ${orders.isFulfilledBySeller}` : undefined,
    mark === 'contact' ? isNotNull(orders.contactDataAt) : undefined,
    tag ? orderHasTag(tag) : undefined,
  );
};

const today = sql`(date_trunc('day', now() at time zone 'UTC') at time zone 'UTC')`;
/** The condition for late deliveries; the index `placements_due_idx` has it. */
export const isLateDelivery = and(isToPublish, lt(placements.deliveryDueAt, sql`now()`));

/** Builds the condition on the placement; undefined if the filter has none. */
const placementCondition = ({ fulfilledBy, state, due, mark }: AdminOrdersFilter) =>
  and(
    fulfilledBy && fulfilledBy !== 'staff' ? ne(placements.state, 'taken_over') : undefined,
    fulfilledBy && !['seller', 'staff'].includes(fulfilledBy) ? eq(placements.sellerId, fulfilledBy) : undefined,
    state && eq(placements.state, state),
    mark === 'disputed' ? eq(placements.state, 'disputed') : undefined,
    mark === 'late' ? isLateDelivery : undefined,
    due &&
      and(
        isToPublish,
        gte(placements.deliveryDueAt, today),
        lt(placements.deliveryDueAt, sql`${today} + ${due === 'today' ? '1 day' : '7 days'}::interval`),
      ),
  );

/** Counts the late deliveries, up to a cap. */
export const countLateOrders = (): Promise<CappedCount> => countRows(placements, isLateDelivery);

/** The number of days for which contact data is counted. */
const contactDataDays = 7;

/** Counts the orders in which contact data was written in the last days, up to a cap. */
export const countContactData = (): Promise<CappedCount> =>
  countRows(
    orders,
    and(isNull(orders.deletedAt), gte(orders.contactDataAt, sql`now() - make_interval(days => ${contactDataDays})`)),
  );

/** Checks whether the placements alone determine the list, apart from deleted orders: their indexes are then read. */
const isOfPlacements = (filter: AdminOrdersFilter, search: OrderSearch | undefined): boolean =>
  placementCondition(filter) !== undefined &&
  !(
    search ||
    filter.status ||
    filter.userId ||
    filter.orderedBy ||
    filter.fulfilledBy === 'staff' ||
    filter.mark === 'contact' ||
    filter.tag
  );

/** Checks whether the list is in order of the day of delivery, as its index. */
const isByDue = ({ due, mark }: AdminOrdersFilter) => due !== undefined || mark === 'late';

/**
 * Lists a page of the orders of all buyers for staff: in the requested order, otherwise newest first, or those with a day
 * of delivery by that day.
 */
export async function listAllOrders({
  limit,
  offset,
  cursor,
  sort,
  order = 'asc',
  ...filter
}: AdminOrdersFilter & OrderSort & PageRequest): Promise<CountedPage<AdminOrderRow>> {
  const search = await findSearch(filter.q);
  const read = (range: IdRange) => listAdminRows(filter, search, range);
  const page = { limit, offset, cursor };
  const inOrder = () =>
    isByDue(filter)
      ? readSortedPage(byDue, page, read)
      : readIdPage(isOfPlacements(filter, search) ? placements.orderId : orders.id, page, read);
  const [found, counted] = await Promise.all([
    sort ? readSorted(filter, search, { sort, order }, page) : inOrder(),
    countUpTo((most) => selectAdminIds(filter, search, { limit: most }), undefined, search ? searchCountCap : countCap),
  ]);
  return { ...found, ...counted };
}

const byDue = {
  id: placements.orderId,
  value: placements.deliveryDueAt,
  nulls: 'none',
  order: 'asc',
  from: placements,
  where: undefined,
} as const;

/** The values that the list is sorted by. Each has an index; orders by number need none. */
const sortValues = { id: undefined, charged: orders.chargedCents, status: orders.status, due: sql`due.due_at` };

/** The deliveries that are due, for orders by that day; orders without one are last. */
const dueDeliveries = sql` left join (
  select order_id as due_order_id, delivery_due_at as due_at from ${placements} where ${isToPublish}
) as due on due.due_order_id = ${orders.id}`;

const foundIds = z.array(z.object({ id: z.number() }));

function readSorted(
  filter: AdminOrdersFilter,
  search: OrderSearch | undefined,
  { sort, order }: { sort: keyof typeof sortValues; order: ListOrder['order'] },
  page: PageRequest,
): Promise<CursorPage<AdminOrderRow>> {
  const ofPlacement = placementCondition(filter);
  // A search matches sellers, also of a list that has orders without a placement.
  const join = ofPlacement ? sql` join` : search ? sql` left join` : undefined;
  const from = sql`${orders}${join && sql`${join} ${placements} on ${orders.id} = ${placements.orderId}`}${
    sort === 'due' ? dueDeliveries : undefined
  }`;
  const where = and(
    adminCondition(filter, sort !== 'id' || hasOwnIndex(filter)),
    ofPlacement,
    search && matches(search),
  );
  const nulls = sort === 'due' ? 'excluded' : 'none';
  return readSortedPage(
    { id: orders.id, value: sortValues[sort], nulls, order, from, where },
    page,
    async ({ where: inRange, orderBy, limit, offset }) => {
      const statement = sql`select ${orders.id} from ${from} where ${inRange} order by ${orderBy} limit ${limit} offset ${offset}`;
      const ids = foundIds.parse([...(await db().execute(statement))]).map(({ id }) => id);
      const rows = new Map((await selectAdminOrders(db()).where(inArray(orders.id, ids))).map((row) => [row.id, row]));
      return ids.flatMap((id) => rows.get(id) ?? []);
    },
  );
}

/**
 * Finds the newest orders that a text matches. A number finds its order only, and an email address the orders of its
 * user's own account, or else those that the user placed for a team, or else fulfills.
 */
export async function findOrders(q: string, limit: number): Promise<AdminOrderRow[]> {
  const number = parseOrderNumber(q.trim());
  if (number !== undefined) {
    const where = and(adminCondition({}), eq(orders.id, number));
    const rows = await listAdminRows({}, undefined, { where, orderBy: desc(orders.id), limit, offset: 0 });
    if (rows.length > 0) return rows;
  }
  const [user] = await db()
    .select({ userId: users.id })
    .from(users)
    .where(eq(sql`lower(${users.email})`, q.trim().toLowerCase()));
  if (!user) return readNewest({}, limit, await findSearch(q));
  const bought = await readNewest(user, limit);
  if (bought.length > 0) return bought;
  const placed = await readNewest({ orderedBy: user.userId }, limit);
  return placed.length > 0 ? placed : readNewest({ fulfilledBy: user.userId }, limit);
}

function readNewest(filter: AdminOrdersFilter, limit: number, search?: OrderSearch): PromiseLike<AdminOrderRow[]> {
  const id = isOfPlacements(filter, search) ? placements.orderId : orders.id;
  return listAdminRows(filter, search, { where: undefined, orderBy: desc(id), limit, offset: 0 });
}

type OrderSearch = {
  text: string;
  number: number | undefined;
  /** The users and teams that the text matches; 'many' if it matches so many that their orders are found while reading the list. */
  userIds: string[] | 'many';
};

/** Finds the users and teams that a search of the staff's list matches. */
async function findSearch(q: string | undefined, on: Reader = db()): Promise<OrderSearch | undefined> {
  const text = q?.trim();
  if (!text) return undefined;
  return { text, number: parseOrderNumber(text), userIds: await findMatchingAccounts(text, on) };
}

type IdsRange = Partial<IdRange> & { limit: number };

/**
 * Builds the statement of the ids of a page. A search is a union of lists in the same order, each read along its own index and only as far as
 * the page: a condition with `or` over two tables would read every order. A list by the day of delivery is short.
 */
function selectAdminIds(filter: AdminOrdersFilter, search: OrderSearch | undefined, range: IdsRange): SQL {
  const { orderBy, offset = 0, limit } = range;
  const ofPlacement = placementCondition(filter);
  const from = ofPlacement ? sql`${placements} join ${orders} on ${orders.id} = ${placements.orderId}` : sql`${orders}`;
  const isIn = (isIndexed?: boolean) => and(adminCondition(filter, isIndexed), ofPlacement, range.where);
  const base = isIn();
  const inOrder = orderBy && sql`order by ${orderBy}`;
  if (isOfPlacements(filter, search)) {
    return sql`(select ${placements.orderId} from ${placements} where ${and(ofPlacement, range.where)} and not exists (
      select from ${orders} where ${orders.id} = ${placements.orderId} and ${orders.deletedAt} is not null)
      ${inOrder} limit ${limit} offset ${offset})`;
  }
  if (!search || isByDue(filter)) {
    return sql`(select ${orders.id} from ${from} where ${and(base, search && matches(search))}
      ${inOrder} limit ${limit} offset ${offset})`;
  }
  const end = sql`${inOrder} limit ${limit + offset}`;
  const { text, number, userIds } = search;
  const part = (where: SQL) => sql`(select ${orders.id} from ${from} where ${and(isIn(true), where)} ${end})`;
  /** The orders of the users and teams that the text matches, as their buyer or seller. */
  const ofUsers = (column: PgColumn, joined: SQL) =>
    userIds === 'many'
      ? sql`(select ${orders.id} from ${joined} where ${base} and ${isMatchingAccount(column, text)} ${end})`
      : sql`(select found.id from unnest(${sql.param(userIds)}::text[]) as matched(id)
          cross join lateral (
            select ${orders.id} from ${joined} where ${isIn(column === orders.accountId)} and ${column} = matched.id ${end}
          ) as found)`;
  const withPlacement = sql`${placements} join ${orders} on ${orders.id} = ${placements.orderId}`;
  const parts = [
    part(textContains(orderSearchText, ...listSpellings(normalizeSearch(text)))),
    ...(number === undefined ? [] : [part(eq(orders.id, number))]),
    ofUsers(orders.accountId, from),
    ofUsers(placements.sellerId, withPlacement),
  ];
  return sql`(select id from (${sql.join(parts, sql` union `)}) as ${orders} ${inOrder} limit ${limit} offset ${offset})`;
}

/** Builds the condition of a search, for a short list. */
function matches({ text, number, userIds }: OrderSearch): SQL | undefined {
  const ofUsers = (column: PgColumn) =>
    userIds === 'many' ? isMatchingAccount(column, text) : inArray(column, userIds);
  return or(
    textContains(orderSearchText, ...listSpellings(normalizeSearch(text))),
    number === undefined ? undefined : eq(orders.id, number),
    ofUsers(orders.accountId),
    ofUsers(placements.sellerId),
  );
}

/**
 * Reads the orders of a range. A search, a condition of the placement and an offset apply to the ids alone, so that
 * skipped orders are not joined.
 */
const listAdminRows = (
  filter: AdminOrdersFilter,
  search: OrderSearch | undefined,
  range: IdRange,
  on: Reader = db(),
) => {
  const isByIds = search !== undefined || placementCondition(filter) !== undefined || range.offset > 0;
  return selectAdminOrders(on)
    .where(
      isByIds
        ? sql`${orders.id} in ${selectAdminIds(filter, search, range)}`
        : and(adminCondition(filter), range.where),
    )
    .orderBy(range.orderBy)
    .limit(range.limit)
    .offset(isByIds ? 0 : range.offset);
};

/**
 * Reads the whole of the staff's list in batches, newest first.
 * @param on a snapshot for a consistent result; with the pool, each batch reads the current state
 */
export async function* streamAllOrders(
  filter: AdminOrdersFilter,
  batchSize: number,
  on: Reader = db(),
): AsyncGenerator<AdminOrderRow[]> {
  const search = await findSearch(filter.q, on);
  const id = isOfPlacements(filter, search) ? placements.orderId : orders.id;
  let rows: AdminOrderRow[] = [];
  do {
    const before = rows.at(-1)?.id;
    const where = before === undefined ? undefined : lt(id, before);
    rows = await listAdminRows(filter, search, { where, orderBy: desc(id), limit: batchSize, offset: 0 }, on);
    if (rows.length > 0) yield rows;
  } while (rows.length === batchSize);
}
