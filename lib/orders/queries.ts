import { and, count, desc, eq, getTableColumns, ilike, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { db, type Executor } from '../../db/client';
import { type OrderStatus, orderContents, orders } from '../../db/schema/orders';
import { users } from '../../db/schema/users';
import type { Reader } from '../../db/snapshot';
import type { Actor } from '../access/actor';
import { AppError } from '../errors';
import type { Page } from '../platform/http/fields';
import type { AdminOrderRow, OrderRow } from './views';

type ListFilter = {
  q?: string | undefined;
  status?: OrderStatus | undefined;
  projectId?: string | undefined;
  offset: number;
};
type OwnFilter = ListFilter & { statuses?: OrderStatus[] | undefined };

const orderColumns = { ...getTableColumns(orders), contentFileName: orderContents.fileName };
const adminColumns = { ...orderColumns, userName: users.name, userEmail: users.email };
/** Joins the current content. */
const currentContent = and(eq(orderContents.orderId, orders.id), isNull(orderContents.replacedAt));

/** Lists a buyer's own orders, newest first; all of them without a limit. `statuses` matches any of several. */
export async function listOrders(
  actor: Pick<Actor, 'userId'>,
  { limit, ...filter }: OwnFilter & { limit?: number | undefined },
): Promise<Page<OrderRow>> {
  const list = selectOwnOrders(actor, filter)(db());
  const [rows, total] = await Promise.all([
    limit === undefined ? list : list.limit(limit),
    countOwnOrders(actor, filter),
  ]);
  return { rows, total };
}

/** Builds the query of `listOrders` without a limit. */
export const selectOwnOrders = (actor: Pick<Actor, 'userId'>, filter: OwnFilter) => (on: Reader) =>
  on
    .select(orderColumns)
    .from(orders)
    .leftJoin(orderContents, currentContent)
    .where(ownCondition(actor, filter))
    .orderBy(desc(orders.id))
    .offset(filter.offset);

/** Counts a buyer's own orders that match a filter. */
export async function countOwnOrders(
  actor: Pick<Actor, 'userId'>,
  filter: OwnFilter,
  on: Reader = db(),
): Promise<number> {
  const [counted] = await on.select({ total: count() }).from(orders).where(ownCondition(actor, filter));
  return counted?.total ?? 0;
}

const ownCondition = ({ userId }: Pick<Actor, 'userId'>, { q, status, statuses, projectId }: OwnFilter) =>
  and(
    eq(orders.userId, userId),
    isNull(orders.deletedAt),
    status && eq(orders.status, status),
    statuses && inArray(orders.status, statuses),
    projectId ? eq(orders.projectId, projectId) : undefined,
    matchesSearch(q, [orders.website, orders.packageName, orders.projectDomain, orders.linkUrl]),
  );

/** Lists the projects that a buyer has ordered for, including deleted ones, by domain; the options of the filter. */
export async function listOrderedProjects({
  userId,
}: Pick<Actor, 'userId'>): Promise<{ id: string; domain: string }[]> {
  return db()
    .selectDistinct({ id: orders.projectId, domain: orders.projectDomain })
    .from(orders)
    .where(and(eq(orders.userId, userId), isNull(orders.deletedAt)))
    .orderBy(orders.projectDomain, orders.projectId)
    .limit(1_000);
}

/** The filter of the staff's order list; `q` searches id, website, package, buyer, project and live link. */
export type AdminOrdersFilter = Pick<ListFilter, 'q' | 'status'> & { userId?: string | undefined };

function adminCondition({ q, status, userId }: AdminOrdersFilter): SQL | undefined {
  return and(
    isNull(orders.deletedAt),
    status && eq(orders.status, status),
    userId ? eq(orders.userId, userId) : undefined,
    matchesSearch(q, [
      orders.website,
      orders.packageName,
      orders.projectDomain,
      orders.linkUrl,
      users.email,
      users.name,
    ]),
  );
}

/** Lists the orders of all buyers for staff, newest first. */
export async function listAllOrders({
  limit,
  offset,
  ...filter
}: AdminOrdersFilter & { limit: number; offset: number }): Promise<Page<AdminOrderRow>> {
  const where = adminCondition(filter);
  const [rows, counted] = await Promise.all([
    db()
      .select(adminColumns)
      .from(orders)
      .innerJoin(users, eq(users.id, orders.userId))
      .leftJoin(orderContents, currentContent)
      .where(where)
      .orderBy(desc(orders.id))
      .limit(limit)
      .offset(offset),
    db().select({ total: count() }).from(orders).innerJoin(users, eq(users.id, orders.userId)).where(where),
  ]);
  return { rows, total: counted[0]?.total ?? 0 };
}

/**
 * Lists the next orders of the staff's list, newest first, to read all of it in batches.
 * @param beforeId only orders with a smaller id; null for the first batch
 */
export async function listAllOrdersBefore(
  filter: AdminOrdersFilter,
  beforeId: number | null,
  limit: number,
  on: Reader = db(),
): Promise<AdminOrderRow[]> {
  return on
    .select(adminColumns)
    .from(orders)
    .innerJoin(users, eq(users.id, orders.userId))
    .leftJoin(orderContents, currentContent)
    .where(and(adminCondition(filter), beforeId === null ? undefined : lt(orders.id, beforeId)))
    .orderBy(desc(orders.id))
    .limit(limit);
}

/**
 * Returns an order of the actor.
 * @throws AppError not_found, also for an order of another user, to avoid disclosing that it exists
 */
export async function getOrder(actor: Pick<Actor, 'userId'>, id: number): Promise<OrderRow> {
  const [row] = await db()
    .select(orderColumns)
    .from(orders)
    .leftJoin(orderContents, currentContent)
    .where(and(eq(orders.id, id), eq(orders.userId, actor.userId), isNull(orders.deletedAt)));
  if (!row) throw orderNotFoundError(id);
  return row;
}

/** @throws AppError not_found */
export async function getAdminOrder(id: number, executor: Executor = db()): Promise<AdminOrderRow> {
  const [row] = await executor
    .select(adminColumns)
    .from(orders)
    .innerJoin(users, eq(users.id, orders.userId))
    .leftJoin(orderContents, currentContent)
    .where(and(eq(orders.id, id), isNull(orders.deletedAt)));
  if (!row) throw orderNotFoundError(id);
  return row;
}

export type Buyer = { id: string; name: string; email: string };

/** Lists up to 500 users who have ordered, by name, for the buyer filter. */
export async function listBuyers(): Promise<Buyer[]> {
  return db()
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(sql`exists (select from ${orders} where ${orders.userId} = ${users.id} and ${orders.deletedAt} is null)`)
    .orderBy(users.name, users.email)
    .limit(500);
}

/** Finds the buyer selected in the filter, also one without orders; null if the user does not exist. */
export async function findBuyer(id: string): Promise<Buyer | null> {
  const [buyer] = await db()
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(eq(users.id, id));
  return buyer ?? null;
}

export function orderNotFoundError(id: number): AppError {
  return new AppError('not_found', `Order #${id} does not exist or was deleted.`);
}

/** Matches a text in any of the columns, or an order number with or without "#". */
function matchesSearch(q: string | undefined, columns: Parameters<typeof ilike>[0][]): SQL | undefined {
  const text = q?.trim();
  if (!text) return undefined;
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const number = /^#?(\d{1,9})$/.exec(text)?.[1];
  return or(number ? eq(orders.id, Number(number)) : undefined, ...columns.map((column) => ilike(column, pattern)));
}
