import { and, desc, eq, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { countCap, countUpTo, searchCountCap } from '../../db/count-up-to';
import { type IdRange, readIdPage } from '../../db/read-id-page';
import { type OrderStatus, orderSearchText, orders } from '../../db/schema/orders';
import { userSearchText, users } from '../../db/schema/users';
import { textContains } from '../../db/search';
import type { Reader } from '../../db/snapshot';
import type { PageRequest } from '../id-cursor';
import { type CountedPage, parseOrderNumber, selectAdminOrders } from './queries';
import type { AdminOrderRow } from './views';

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
  const number = parseOrderNumber(q.trim());
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
  return { text, number: parseOrderNumber(text), userIds };
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
  return selectAdminOrders(on)
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
