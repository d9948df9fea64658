import { and, desc, eq, getTableColumns, inArray, isNull, lt, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { type CappedCount, countCap, countUpTo, searchCountCap, tabCountCap } from '@/db/count-up-to';
import { type IdRange, readIdPage } from '@/db/read-id-page';
import { readInBatches } from '@/db/read-in-batches';
import { accounts } from '@/db/schema/accounts';
import { disputes } from '@/db/schema/disputes';
import { type LinkVerdict, linkProofs, linkWatches } from '@/db/schema/links';
import { type OrderStatus, orderContents, orderSearchText, orders } from '@/db/schema/orders';
import { briefArticles, orderBriefs, placements } from '@/db/schema/placements';
import { projects } from '@/db/schema/projects';
import { optionKinds, optionTopics } from '@/db/schema/site-options';
import { users } from '@/db/schema/users';
import { textContains } from '@/db/search';
import type { Reader } from '@/db/snapshot';
import { isInScope } from '@/lib/access/account-roles';
import type { AccountScope } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import type { CursorPage, PageRequest } from '@/lib/id-cursor';
import { listSpellings, normalizeSearch } from '@/lib/network/search-words';
import { type AdminOrderDetailsRow, type BuyerTab, buyerTabNames, type OrderRow } from '@/lib/orders/contract';
import { orderNotFoundError } from '@/lib/orders/placements/lock';
import { maxRevisionsInSql } from '@/lib/settings/placement-rules';
import { maxAnswered } from './amounts';
import { type BuyerPart, selectPart } from './buyer-tabs';
import { orderIdParams } from './schemas';

type OwnFilter = {
  q?: string | undefined;
  status?: OrderStatus | undefined;
  /** Matches any of several. */
  statuses?: OrderStatus[] | undefined;
  projectId?: string | undefined;
  /** A tab of the list, or what waits for the buyer. */
  part?: BuyerPart | undefined;
};
/** A page of a list, and the number of rows over all pages as far as they are counted. */
export type CountedPage<Row> = CursorPage<Row> & CappedCount;

/** The columns of a placement. Drizzle returns null without one, by the first of them. */
export const placementColumns = {
  ...getTableColumns(placements),
  // An ended dispute is shown only if it ended the placement.
  disputeId: sql<string | null>`case when ${placements.state} in ('disputed', 'settled') then (
    select max(${disputes.id}) from ${disputes} where ${disputes.orderId} = ${placements.orderId} and ${disputes.state} <> 'withdrawn') end`,
  maxRevisions: maxRevisionsInSql,
  linkVerdict: sql<LinkVerdict | null>`(
    select ${linkWatches.verdict} from ${linkWatches} where ${linkWatches.orderId} = ${placements.orderId})`,
  linkCheckedAt: sql`(
    select ${linkWatches.checkedAt} from ${linkWatches} where ${linkWatches.orderId} = ${placements.orderId})`.mapWith(
    linkWatches.checkedAt,
  ),
  linkRepairDueAt: sql`(
    select ${linkWatches.repairDueAt} from ${linkWatches} where ${linkWatches.orderId} = ${placements.orderId})`.mapWith(
    linkWatches.repairDueAt,
  ),
  proofId: sql<string | null>`(
    select max(${linkProofs.id}) from ${linkProofs} where ${linkProofs.orderId} = ${placements.orderId})`,
};
/** The columns of a brief. */
export const briefColumns = {
  ...getTableColumns(orderBriefs),
  articleFileName: sql<string | null>`${briefArticles.fileName}`,
};
const optionRows = z.array(
  z.object({
    ...{ id: z.string(), optionId: z.string(), kind: z.enum(optionKinds), days: z.int().nullable() },
    ...{ topic: z.enum(optionTopics).nullable(), words: z.int().nullable(), isExtension: z.boolean() },
    ...{ chargedCents: z.int(), sellerCents: z.int(), createdAt: z.coerce.date() },
  }),
);

/** The options of an order, in the order in which they were chosen. */
export const optionsOfOrder = sql`(select coalesce(json_agg(json_build_object(
    'id', o.id, 'optionId', o.option_id, 'kind', o.kind, 'days', o.days, 'topic', o.topic, 'words', o.words,
    'isExtension', o.is_extension, 'chargedCents', o.charged_cents, 'sellerCents', o.seller_cents,
    'createdAt', o.created_at) order by o.id), '[]') from order_options o where o.order_id = ${orders.id})`.mapWith(
  (value) => optionRows.parse(value),
);
const orderColumns = {
  ...getTableColumns(orders),
  contentFileName: orderContents.fileName,
  placement: placementColumns,
  brief: briefColumns,
  options: optionsOfOrder,
};
const seller = alias(users, 'seller');
const adminColumns = {
  ...orderColumns,
  userName: accounts.name,
  userEmail: accounts.email,
  sellerName: sql<string | null>`${seller.name}`,
  sellerEmail: sql<string | null>`${seller.email}`,
};
/** Joins the current content. */
const currentContent = and(eq(orderContents.orderId, orders.id), isNull(orderContents.replacedAt));
const placementOfOrder = eq(placements.orderId, orders.id);
export const briefOfOrder = eq(orderBriefs.orderId, orders.id);
export const articleOfBrief = eq(briefArticles.id, orderBriefs.articleId);

/** Selects orders with the columns that their buyer sees. */
const selectOrders = (on: Reader) =>
  on
    .select(orderColumns)
    .from(orders)
    .leftJoin(orderContents, currentContent)
    .leftJoin(placements, placementOfOrder)
    .leftJoin(orderBriefs, briefOfOrder)
    .leftJoin(briefArticles, articleOfBrief);

/** Selects orders with the columns that staff see. */
export const selectAdminOrders = (on: Reader) =>
  on
    .select(adminColumns)
    .from(orders)
    .innerJoin(accounts, eq(accounts.id, orders.accountId))
    .leftJoin(orderContents, currentContent)
    .leftJoin(placements, placementOfOrder)
    .leftJoin(orderBriefs, briefOfOrder)
    .leftJoin(briefArticles, articleOfBrief)
    .leftJoin(seller, eq(seller.id, placements.sellerId));

/** Lists a page of a buyer's own orders, newest first. */
export async function listOrders(
  actor: AccountScope,
  { limit, offset, cursor, ...filter }: OwnFilter & PageRequest,
): Promise<CountedPage<OrderRow>> {
  const [page, counted] = await Promise.all([
    readIdPage(orders.id, { limit, offset, cursor }, (range) =>
      selectOrders(db())
        .where(and(ownCondition(actor, filter, range), range.where))
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
  (actor: AccountScope, { offset = 0, ...filter }: OwnFilter & { offset?: number }) =>
  (on: Reader) =>
    selectOrders(on).where(ownCondition(actor, filter)).orderBy(desc(orders.id)).offset(offset);

/**
 * Reads the orders of documents, in no order. Deleted ones are read too: their money moved, so that their documents stay.
 * @param where the orders whose documents the reader may read; undefined for all
 */
export const readBilledOrders = (
  ids: readonly number[],
  where: SQL | undefined,
  on: Reader = db(),
): Promise<OrderRow[]> => selectOrders(on).where(and(inArray(orders.id, [...ids]), where));

/** Small enough to read and format a batch within a few milliseconds. */
const batchSize = 250;

/** Reads a buyer's whole list in batches, newest first. */
export const streamOwnOrders = (actor: AccountScope, filter: OwnFilter, on: Reader) =>
  readInBatches<OrderRow>(batchSize, (last) => {
    const where = last && lt(orders.id, last.id);
    const range = { where, orderBy: desc(orders.id), limit: batchSize, offset: 0 };
    return selectOrders(on)
      .where(and(ownCondition(actor, filter, range), where))
      .orderBy(range.orderBy)
      .limit(batchSize);
  });

/** Counts a buyer's own orders that match a filter, up to a cap: those of a tab as the tab itself. */
export async function countOwnOrders(actor: AccountScope, filter: OwnFilter, on?: Executor): Promise<CappedCount> {
  const { part } = filter;
  const count = (counted: OwnFilter, cap: number) => countUpTo((limit) => selectSome(actor, counted, limit), on, cap);
  const [found, read] = await Promise.all([
    count(filter, capOf(filter, part ? tabCountCap : countCap)),
    part && isOfNewest(actor, filter)
      ? countUpTo((limit) => selectNewest(actor, filter, part, limit), on, tabCountCap)
      : undefined,
  ]);
  return { total: found.total, isCapped: found.isCapped || read?.isCapped === true };
}

const capOf = ({ q }: OwnFilter, cap: number): number => (q?.trim() ? searchCountCap : cap);

/**
 * Whether a count of a search or a project reads the newest 1,000 orders of a part alone: each is looked up, and few may
 * match. It is capped if the part has more. Members who see some projects only do not learn how many orders there are in
 * others.
 */
const isOfNewest = ({ projectIds }: AccountScope, { q, projectId }: OwnFilter): boolean =>
  projectIds === null && !!(q?.trim() || projectId);

/** Selects the newest orders of a part, in which a count looks for those that match. */
const selectNewest = ({ accountId }: AccountScope, { projectId }: OwnFilter, part: BuyerPart, limit: number): SQL =>
  selectPart({ accountId, projectId }, part, newest(limit));

const newest = (limit: number): IdRange => ({ where: undefined, orderBy: desc(orders.id), limit, offset: 0 });

function selectSome(actor: AccountScope, filter: OwnFilter, limit: number): SQLWrapper {
  // The lists of a part have the orders of the account alone.
  const { part, ...rest } = filter;
  if (part && isOnlyPart(actor, filter)) return selectPart(actor, part, newest(limit));
  // A subquery for each order of the part, because a join may search all orders of the account.
  if (part)
    return sql`(
      select from ${selectPart(
        { accountId: actor.accountId, projectId: rest.projectId },
        part,
        isOfNewest(actor, filter) ? newest(tabCountCap) : undefined,
      )} as part where coalesce((
        select true from ${orders} where ${orders.id} = part.id and ${ownCondition(actor, rest)}), false) limit ${limit})`;
  return db()
    .select({ one: sql`1`.as('one') })
    .from(orders)
    .where(ownCondition(actor, filter))
    .limit(limit);
}

/** Checks whether nothing besides the part selects the orders of a list. */
const isOnlyPart = ({ projectIds }: AccountScope, { q, status, statuses, projectId }: OwnFilter): boolean =>
  !(q?.trim() || status || statuses || projectId || projectIds);

/** The number of a buyer's orders in each tab, up to a cap: 1,000, or 200 with a search. */
export type BuyerTabCounts = Record<BuyerTab | 'all', CappedCount>;

/** Counts the orders in the tabs of a buyer's list that match its other filters, in one statement. */
export async function countBuyerTabs(
  actor: AccountScope,
  filter: Omit<OwnFilter, 'part'> = {},
): Promise<BuyerTabCounts> {
  const cap = capOf(filter, tabCountCap);
  const numberOf = (counted: OwnFilter, most: number) =>
    sql`(select count(*)::int from ${selectSome(actor, counted, most + 1)} as counted)`;
  const partly: readonly BuyerTab[] = isOfNewest(actor, filter) ? buyerTabNames : [];
  const columns = [
    ...buyerTabNames.map((tab) => sql`${numberOf({ ...filter, part: tab }, cap)} as ${sql.identifier(tab)}`),
    ...partly.map(
      (tab) =>
        sql`(select count(*)::int from ${selectNewest(actor, filter, tab, tabCountCap + 1)} as read) as ${sql.identifier(`${tab}_read`)}`,
    ),
    sql`${numberOf(filter, cap)} as all_orders`,
  ];
  const [row] = await db().execute(sql`select ${sql.join(columns, sql`, `)}`);
  const numbers = tabNumbers.parse(row);
  const toCount = (name: string): CappedCount => {
    const [found = 0, of = 0] = [numbers[name], numbers[`${name}_read`]];
    return { total: Math.min(found, cap), isCapped: found > cap || of > tabCountCap };
  };
  return {
    ...{ review: toCount('review'), waiting: toCount('waiting'), late: toCount('late') },
    ...{ repair: toCount('repair'), changes: toCount('changes'), all: toCount('all_orders') },
  };
}

const tabNumbers = z.record(z.string(), z.int());

/** Selects own orders. @param range bounds the orders that a filter without an index of its own reads */
const ownCondition = (actor: AccountScope, filter: OwnFilter, range?: IdRange) => {
  const { q, status, statuses, projectId, part } = filter;
  const text = q?.trim();
  const number = text && parseOrderNumber(text);
  return and(
    part &&
      sql`${orders.id} in ${selectPart({ accountId: actor.accountId, projectId }, part, isOnlyPart(actor, filter) ? range : undefined)}`,
    isInScope(actor, orders),
    isNull(orders.deletedAt),
    status && eq(orders.status, status),
    statuses && inArray(orders.status, statuses),
    projectId ? eq(orders.projectId, projectId) : undefined,
    text
      ? or(
          number ? eq(orders.id, number) : undefined,
          textContains(orderSearchText, ...listSpellings(normalizeSearch(text))),
        )
      : undefined,
  );
};

/** Lists the newest deliveries to review whose newest check is in order, with the versions of their placements. */
export const listInOrder = (
  actor: AccountScope,
  filter: Omit<OwnFilter, 'part'>,
): Promise<{ id: number; version: number }[]> =>
  db()
    .select({ id: orders.id, version: placements.version })
    .from(orders)
    .innerJoin(placements, placementOfOrder)
    .innerJoin(linkWatches, and(eq(linkWatches.orderId, orders.id), eq(linkWatches.verdict, 'ok')))
    .where(ownCondition(actor, { ...filter, part: 'review' }))
    .orderBy(desc(orders.id))
    .limit(maxAnswered);

/** Parses an order number with or without "#". */
export function parseOrderNumber(text: string): number | undefined {
  const digits = /^#?(\d{1,9})$/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Lists the projects that a buyer has ordered for, including deleted ones, by domain; the options of the filter. */
export async function listOrderedProjects(actor: AccountScope): Promise<{ id: string; domain: string }[]> {
  return db()
    .select({ id: projects.id, domain: projects.domain })
    .from(projects)
    .where(
      and(
        isInScope(actor, { accountId: projects.accountId, projectId: projects.id }),
        sql`exists (select from ${orders} where ${orders.projectId} = ${projects.id} and ${orders.deletedAt} is null)`,
      ),
    )
    .orderBy(projects.domain, projects.id)
    .limit(1_000);
}

/**
 * Returns an order of the actor.
 * @throws AppError not_found, also for an order of another user, to avoid disclosing that it exists
 */
export async function getOrder(actor: AccountScope, id: number): Promise<OrderRow> {
  const [row] = await selectOrders(db()).where(
    and(eq(orders.id, id), isInScope(actor, orders), isNull(orders.deletedAt)),
  );
  if (!row) throw orderNotFoundError(id);
  return row;
}

/** Returns an order with the money that its buyer paid, and its tax. @throws AppError not_found */
export async function getAdminOrder(id: number, executor: Executor = db()): Promise<AdminOrderDetailsRow> {
  const [row] = await selectAdminOrders(executor).where(and(eq(orders.id, id), isNull(orders.deletedAt)));
  if (!row) throw orderNotFoundError(id);
  return { ...row, ...(await readPaid(executor, id)) };
}

const cents = z.coerce.number();
const paidRow = z.object({ netPaidCents: cents, paidTaxCents: cents, rechargeRate: z.int() });

/**
 * Returns what the buyer has paid for an order without tax, according to the ledger, in USD cents: what left wallets for
 * it, less what was returned to them. Includes transactions reversed by an admin; excludes movements between the platform
 * and a seller. A caller that moves this money must hold the lock on the order's row.
 */
export const getNetPaidCents = async (tx: Executor, orderId: number): Promise<number> =>
  (await readPaid(tx, orderId)).netPaidCents;

/** Reads what the buyer has paid, as `getNetPaidCents`, its tax, and the rate at which another payment is taxed. */
async function readPaid(tx: Executor, orderId: number): Promise<z.output<typeof paidRow>> {
  const rows = await tx.execute(sql`
    with own as (
      select id, from_account, to_account, amount_cents from ledger.transfers where order_id = ${orderId}
    )
    select coalesce(sum(cents) filter (where not is_tax), 0) as "netPaidCents",
      coalesce(sum(cents) filter (where is_tax), 0) as "paidTaxCents",
      coalesce((select rate from order_taxes where movement_key = ${`order:${orderId}`}), 0) as "rechargeRate"
    from (
      select id, from_account, to_account, amount_cents from own
      -- A reversal may name the order itself.
      union
      select t.id, t.from_account, t.to_account, t.amount_cents from own join ledger.transfers t on t.reverses_id = own.id
    ) as moved
    join ledger.accounts f on f.id = from_account join ledger.accounts g on g.id = to_account
    cross join lateral (
      select 'tax' in (f.kind, g.kind) as is_tax, case when f.kind = 'wallet' then amount_cents else 0 end
        - case when g.kind = 'wallet' then amount_cents else 0 end as cents
    ) as paid`);
  return paidRow.parse(rows[0]);
}

/**
 * Finds the order of a page's address.
 * @param id the URL parameter as received
 * @param get finds the order, or throws not_found
 * @returns null if the id is invalid, or the order does not exist for the reader
 */
export async function findByParam<Row>(id: string, get: (id: number) => Promise<Row>): Promise<Row | null> {
  const params = orderIdParams.safeParse({ id });
  if (!params.success) return null;
  try {
    return await get(params.data.id);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') return null;
    throw thrown;
  }
}
