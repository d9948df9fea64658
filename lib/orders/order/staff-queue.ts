import { and, asc, desc, eq, gt, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { type CappedCount, countRows, tabCountCap } from '@/db/count-up-to';
import { selectDistinctValues } from '@/db/distinct-values';
import { perRow } from '@/db/per-row';
import { type IdRange, toCursorPage } from '@/db/read-id-page';
import { readRanges } from '@/db/read-sorted-page';
import { accounts } from '@/db/schema/accounts';
import { type OrderStatus, orderStatuses, orders } from '@/db/schema/orders';
import { placements } from '@/db/schema/placements';
import type { IdCursor, PageRequest } from '@/lib/id-cursor';
import type { AdminOrderRow } from '@/lib/orders/contract';
import { isLateDelivery } from './desk-queries';
import { type CountedPage, selectAdminOrders } from './queries';

/** The statuses whose list begins with the late deliveries; undefined is the list of all orders. */
export type QueueStatus = 'Processing' | undefined;

/** A list of a status is read along its index, which leaves out deleted orders. */
const isInQueue = (status: QueueStatus) =>
  status === undefined ? perRow(isNull(orders.deletedAt)) : and(isNull(orders.deletedAt), eq(orders.status, status));

/**
 * Lists a page of the staff's queue: the late deliveries first, the longest overdue before the others, then the other
 * orders, newest first. The late ones are read along the index of their day, the others along the index of their list. The
 * position of a cursor is that of its order now: an order that becomes late moves to the front.
 */
export async function listQueue(
  status: QueueStatus,
  { limit, offset = 0, cursor }: PageRequest,
): Promise<CountedPage<AdminOrderRow>> {
  const [rows, counted] = await Promise.all([
    readQueue(status, { limit, offset, cursor }),
    countRows(orders, isInQueue(status)),
  ]);
  return { ...toCursorPage(rows, { limit, offset, cursor }), ...counted };
}

async function readQueue(status: QueueStatus, { limit, offset = 0, cursor }: PageRequest): Promise<AdminOrderRow[]> {
  const start = cursor && 'id' in cursor ? await findStart(cursor) : undefined;
  if (start === null) return [];
  const isBack = cursor !== undefined && cursor.toward !== 'next';
  const late = {
    where: start?.isLate
      ? sql`(${placements.deliveryDueAt}, ${placements.orderId}) ${isBack ? sql`<` : sql`>`} (
      (select delivery_due_at from placements where order_id = ${start.id}), ${start.id})`
      : undefined,
    orderBy: isBack
      ? sql`${desc(placements.deliveryDueAt)}, ${desc(placements.orderId)}`
      : sql`${asc(placements.deliveryDueAt)}, ${asc(placements.orderId)}`,
  };
  const others = {
    where: start && !start.isLate ? (isBack ? gt : lt)(orders.id, start.id) : undefined,
    orderBy: isBack ? asc(orders.id) : desc(orders.id),
  };
  const ranges = isBack ? [others, late] : [late, others];
  // A start in the second range leaves out the first.
  const isInSecond = start !== undefined && start.isLate === isBack;
  return readRanges<AdminOrderRow>(
    isInSecond ? ranges.slice(1) : ranges,
    // One more than shown, to detect a further page.
    { limit: limit + 1, offset: cursor ? 0 : offset },
    (range) =>
      readByIds(range.orderBy === late.orderBy ? selectLate(status, range) : selectOthers(status, range), range),
    () => db().$count(placements, isLateInQueue(status)),
  );
}

/** Finds the order of a cursor, and whether it is late now; null for a cursor of another list. */
async function findStart({ id }: Extract<IdCursor, { id: string }>): Promise<{ id: number; isLate: boolean } | null> {
  if (!/^\d{1,9}$/.test(id)) return null;
  const late = await db().$count(placements, and(eq(placements.orderId, Number(id)), isLateDelivery));
  return { id: Number(id), isLate: late > 0 };
}

/** A subquery for each late delivery, so that these are read along the index of their day. */
const isLateInQueue = (status: QueueStatus) =>
  and(isLateDelivery, sql`(select ${isInQueue(status)} from ${orders} where ${orders.id} = ${placements.orderId})`);

const selectLate = (status: QueueStatus, { where, orderBy, limit, offset }: IdRange): SQL =>
  sql`(select ${placements.orderId} from ${placements} where ${and(isLateInQueue(status), where)}
    order by ${orderBy} limit ${limit} offset ${offset})`;

/** Selects the other orders by a subquery for each order, which reads only the placements of the orders on the page. */
const selectOthers = (status: QueueStatus, { where, orderBy, limit, offset }: IdRange): SQL =>
  sql`(select ${orders.id} from ${orders} where ${and(isInQueue(status), where)}
    and not coalesce((select ${isLateDelivery} from ${placements} where ${placements.orderId} = ${orders.id}), false)
    order by ${orderBy} limit ${limit} offset ${offset})`;

const readByIds = (ids: SQL, { orderBy, limit }: IdRange) =>
  selectAdminOrders(db()).where(sql`${orders.id} in ${ids}`).orderBy(orderBy).limit(limit);

const statusRows = z.array(z.object({ status: z.enum(orderStatuses), total: z.number() }));

/** Counts the orders of each status, up to a cap. The names are part of the statement, so that the planner knows how rare each is. */
export async function countByStatus(): Promise<Map<OrderStatus, CappedCount>> {
  const counts = orderStatuses.map((status) => {
    const name = sql.raw(`'${status}'`);
    return sql`select ${name} as status, (select count(*)::int from (
      select from ${orders} where ${isNull(orders.deletedAt)} and ${orders.status} = ${name} limit ${tabCountCap + 1}
    ) as counted) as total`;
  });
  const rows = statusRows.parse([...(await db().execute(sql.join(counts, sql` union all `)))]);
  return new Map(
    rows.map(({ status, total }) => [status, { total: Math.min(total, tabCountCap), isCapped: total > tabCountCap }]),
  );
}

export type Buyer = { id: string; name: string; email: string };

/** The maximum number of users in a filter. */
const maxUsers = 500;

/** Lists up to 500 accounts that have ordered, by name, for the buyer filter. */
export async function listBuyers(): Promise<Buyer[]> {
  return listAccounts(selectDistinctValues(orders, orders.accountId, isNull(orders.deletedAt), maxUsers));
}

/** Lists up to 500 sellers of placements, by name, for the filter of who fulfills orders. */
export async function listFulfillers(): Promise<Buyer[]> {
  return listAccounts(selectDistinctValues(placements, placements.sellerId, sql`true`, maxUsers));
}

/** The personal account of a seller has the seller's id and name. */
const listAccounts = (ids: SQL): Promise<Buyer[]> =>
  db()
    .select({ id: accounts.id, name: accounts.name, email: accounts.email })
    .from(accounts)
    .where(inArray(accounts.id, sql`(${ids})`))
    .orderBy(accounts.name, accounts.email);

/** Finds the account selected in a filter, also one without orders; null if it does not exist. */
export async function findBuyer(id: string): Promise<Buyer | null> {
  const [buyer] = await db()
    .select({ id: accounts.id, name: accounts.name, email: accounts.email })
    .from(accounts)
    .where(eq(accounts.id, id));
  return buyer ?? null;
}
