import { and, desc, eq, getTableColumns, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { db, type Executor } from '../../db/client';
import { type CappedCount, countCap, countUpTo, searchCountCap } from '../../db/count-up-to';
import { type IdRange, readIdPage } from '../../db/read-id-page';
import { type OrderStatus, orderContents, orderSearchText, orders } from '../../db/schema/orders';
import { projects } from '../../db/schema/projects';
import { userSearchText, users } from '../../db/schema/users';
import { textContains } from '../../db/search';
import type { Reader } from '../../db/snapshot';
import type { Actor } from '../access/actor';
import { AppError } from '../errors';
import type { CursorPage, PageRequest } from '../id-cursor';
import type { AdminOrderRow, OrderRow } from './views';

type OwnFilter = {
  q?: string | undefined;
  status?: OrderStatus | undefined;
  /** Matches any of several. */
  statuses?: OrderStatus[] | undefined;
  projectId?: string | undefined;
};
/** A page of a list, and the number of rows over all pages as far as they are counted. */
export type CountedPage<Row> = CursorPage<Row> & CappedCount;

const orderColumns = { ...getTableColumns(orders), contentFileName: orderContents.fileName };
const adminColumns = { ...orderColumns, userName: users.name, userEmail: users.email };
/** Joins the current content. */
const currentContent = and(eq(orderContents.orderId, orders.id), isNull(orderContents.replacedAt));

/** Lists a page of a buyer's own orders, newest first. */
export async function listOrders(
  actor: Pick<Actor, 'userId'>,
  { limit, offset, cursor, ...filter }: OwnFilter & PageRequest,
): Promise<CountedPage<OrderRow>> {
  const [page, counted] = await Promise.all([
    readIdPage(orders.id, { limit, offset, cursor }, (range) =>
      db()
        .select(orderColumns)
        .from(orders)
        .leftJoin(orderContents, currentContent)
        .where(and(ownCondition(actor, filter), range.where))
        .orderBy(range.orderBy)
        .limit(range.limit)
        .offset(range.offset),
    ),
    countOwnOrders(actor, filter),
  ]);
  return { ...page, ...counted };
}

/** Builds the query of a buyer's whole list, newest first. */
export const selectOwnOrders =
  (actor: Pick<Actor, 'userId'>, { offset = 0, ...filter }: OwnFilter & { offset?: number }) =>
  (on: Reader) =>
    on
      .select(orderColumns)
      .from(orders)
      .leftJoin(orderContents, currentContent)
      .where(ownCondition(actor, filter))
      .orderBy(desc(orders.id))
      .offset(offset);

/** Counts a buyer's own orders that match a filter, up to a cap. */
export const countOwnOrders = (
  actor: Pick<Actor, 'userId'>,
  filter: OwnFilter,
  on: Executor = db(),
): Promise<CappedCount> =>
  countUpTo(
    (limit) =>
      db()
        .select({ one: sql`1`.as('one') })
        .from(orders)
        .where(ownCondition(actor, filter))
        .limit(limit),
    on,
  );

const ownCondition = ({ userId }: Pick<Actor, 'userId'>, { q, status, statuses, projectId }: OwnFilter) => {
  const text = q?.trim();
  const number = text && orderNumber(text);
  return and(
    eq(orders.userId, userId),
    isNull(orders.deletedAt),
    status && eq(orders.status, status),
    statuses && inArray(orders.status, statuses),
    projectId ? eq(orders.projectId, projectId) : undefined,
    text ? or(number ? eq(orders.id, number) : undefined, textContains(orderSearchText, text)) : undefined,
  );
};

/** Parses an order number with or without "#". */
function orderNumber(text: string): number | undefined {
  const digits = /^#?(\d{1,9})$/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Lists the projects that a buyer has ordered for, including deleted ones, by domain; the options of the filter. */
export async function listOrderedProjects({
  userId,
}: Pick<Actor, 'userId'>): Promise<{ id: string; domain: string }[]> {
  return db()
    .select({ id: projects.id, domain: projects.domain })
    .from(projects)
    .where(
      and(
        eq(projects.userId, userId),
        sql`exists (select from ${orders} where ${orders.projectId} = ${projects.id} and ${orders.deletedAt} is null)`,
      ),
    )
    .orderBy(projects.domain, projects.id)
    .limit(1_000);
}

/** The filter of the staff's order list; `q` searches id, website, package, buyer, project and live link. */
export type AdminOrdersFilter = {
  q?: string | undefined;
  status?: OrderStatus | undefined;
  userId?: string | undefined;
};

const adminCondition = ({ status, userId }: AdminOrdersFilter) =>
  and(isNull(orders.deletedAt), status && eq(orders.status, status), userId ? eq(orders.userId, userId) : undefined);

/** Lists a page of the orders of all buyers for staff, newest first. */
export async function listAllOrders({
  limit,
  offset,
  cursor,
  ...filter
}: AdminOrdersFilter & PageRequest): Promise<CountedPage<AdminOrderRow>> {
  const search = await findSearch(filter.q);
  const [page, counted] = await Promise.all([
    readIdPage(orders.id, { limit, offset, cursor }, (range) => readAdminOrders(filter, search, range)),
    countUpTo((most) => adminStatements.ids(filter, search, { limit: most }), db(), search ? searchCountCap : countCap),
  ]);
  return { ...page, ...counted };
}

/** Finds the newest orders that a text matches. A number finds its order only, and an address its buyer's orders. */
export async function findOrders(q: string, limit: number): Promise<AdminOrderRow[]> {
  const number = orderNumber(q.trim());
  if (number !== undefined) {
    const where = and(adminCondition({}), eq(orders.id, number));
    const rows = await readAdminOrders({}, undefined, { where, orderBy: desc(orders.id), limit, offset: 0 });
    if (rows.length > 0) return rows;
  }
  const [buyer] = await db()
    .select({ userId: users.id })
    .from(users)
    .where(eq(sql`lower(${users.email})`, q.trim().toLowerCase()));
  const search = buyer ? undefined : await findSearch(q);
  return readAdminOrders(buyer ?? {}, search, { where: undefined, orderBy: desc(orders.id), limit, offset: 0 });
}

type OrderSearch = {
  text: string;
  number: number | undefined;
  /** The users whom the text matches; 'many' if it matches so many that their orders are found while reading the list. */
  userIds: string[] | 'many';
};

const maxMatchedUsers = 2_000;

/** Finds the users that a search of the staff's list matches. */
async function findSearch(q: string | undefined, on: Reader = db()): Promise<OrderSearch | undefined> {
  const text = q?.trim();
  if (!text) return undefined;
  const matched = await on
    .select({ id: users.id })
    .from(users)
    .where(textContains(userSearchText, text))
    .limit(maxMatchedUsers + 1);
  const userIds = matched.length > maxMatchedUsers ? 'many' : matched.map(({ id }) => id);
  return { text, number: orderNumber(text), userIds };
}

type IdsRange = Partial<IdRange> & { limit: number };

/** The statements of the list. */
const adminStatements = {
  /**
   * The ids of a page. A search is a union of three lists in the same order, each read along its own index and only as
   * far as the page: a condition with `or` over two tables would read every order.
   */
  ids(filter: AdminOrdersFilter, search: OrderSearch | undefined, range: IdsRange): SQL {
    const { orderBy = desc(orders.id), offset = 0, limit } = range;
    const end = sql`order by ${orderBy} limit ${limit + offset}`;
    const base = and(adminCondition(filter), range.where);
    if (!search)
      return sql`(select id from ${orders} where ${base} order by ${orderBy} limit ${limit} offset ${offset})`;
    const { text, number, userIds } = search;
    const ofUsers =
      userIds === 'many'
        ? sql`select ${orders.id} from ${orders} join ${users} on ${users.id} = ${orders.userId}
            where ${base} and ${textContains(userSearchText, text)} ${end}`
        : sql`select found.id from unnest(${sql.param(userIds)}::text[]) as matched(id)
            cross join lateral (
              select ${orders.id} from ${orders} where ${base} and ${orders.userId} = matched.id ${end}
            ) as found`;
    const parts = [
      sql`(select id from ${orders} where ${base} and ${textContains(orderSearchText, text)} ${end})`,
      ...(number === undefined ? [] : [sql`(select id from ${orders} where ${base} and ${orders.id} = ${number})`]),
      sql`(${ofUsers})`,
    ];
    return sql`(select id from (${sql.join(parts, sql` union `)}) as ${orders} order by ${orderBy} limit ${limit} offset ${offset})`;
  },
};

/** Reads the orders of a range. A search and an offset apply to the ids alone, so that skipped orders are not joined. */
const readAdminOrders = (
  filter: AdminOrdersFilter,
  search: OrderSearch | undefined,
  range: IdRange,
  on: Reader = db(),
) => {
  const isByIds = search !== undefined || range.offset > 0;
  return on
    .select(adminColumns)
    .from(orders)
    .innerJoin(users, eq(users.id, orders.userId))
    .leftJoin(orderContents, currentContent)
    .where(
      isByIds
        ? sql`${orders.id} in ${adminStatements.ids(filter, search, range)}`
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
export async function* readAllOrders(
  filter: AdminOrdersFilter,
  batchSize: number,
  on: Reader = db(),
): AsyncGenerator<AdminOrderRow[]> {
  const search = await findSearch(filter.q, on);
  let rows: AdminOrderRow[] = [];
  do {
    const before = rows.at(-1)?.id;
    const where = before === undefined ? undefined : lt(orders.id, before);
    rows = await readAdminOrders(filter, search, { where, orderBy: desc(orders.id), limit: batchSize, offset: 0 }, on);
    if (rows.length > 0) yield rows;
  } while (rows.length === batchSize);
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

export function orderNotFoundError(id: number): AppError {
  return new AppError('not_found', `Order #${id} does not exist or was deleted.`);
}
