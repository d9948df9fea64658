import { and, asc, desc, eq, getTableColumns, inArray, lt, ne, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { type CappedCount, countRows } from '@/db/count-up-to';
import { type IdRange, toCursorPage } from '@/db/read-id-page';
import { readInBatches } from '@/db/read-in-batches';
import { readRanges } from '@/db/read-sorted-page';
import { accounts } from '@/db/schema/accounts';
import { disputeProposals, disputes } from '@/db/schema/disputes';
import { orders } from '@/db/schema/orders';
import { placements } from '@/db/schema/placements';
import { users } from '@/db/schema/users';
import type { Reader } from '@/db/snapshot';
import { hasAccountRight, seesRow } from '@/lib/access/account-roles';
import type { AccountScope, Actor } from '@/lib/access/actor';
import { hasPermission } from '@/lib/access/authorize';
import { AppError } from '@/lib/errors';
import type { CursorPage, PageRequest } from '@/lib/id-cursor';
import type { DisputeReader, DisputeRow, DisputeSort, DisputesFilter, disputesQuery } from './contract';

const seller = alias(users, 'seller');

const selectDisputes = (on: Reader) =>
  on
    .select({
      ...getTableColumns(disputes),
      website: orders.website,
      chargedCents: orders.chargedCents,
      buyerId: orders.accountId,
      projectId: orders.projectId,
      buyerName: accounts.name,
      buyerEmail: accounts.email,
      sellerId: placements.sellerId,
      sellerName: seller.name,
      sellerEmail: seller.email,
      sellerCents: placements.sellerCents,
    })
    .from(disputes)
    .innerJoin(orders, eq(orders.id, disputes.orderId))
    .innerJoin(accounts, eq(accounts.id, orders.accountId))
    .innerJoin(placements, eq(placements.orderId, disputes.orderId))
    .innerJoin(seller, eq(seller.id, placements.sellerId));

/** Adds the proposals of each dispute, the first one first. */
async function addProposals(rows: Omit<DisputeRow, 'proposals'>[], on: Reader): Promise<DisputeRow[]> {
  if (rows.length === 0) return [];
  const found = await on
    .select()
    .from(disputeProposals)
    .where(
      inArray(
        disputeProposals.disputeId,
        rows.map(({ id }) => id),
      ),
    )
    .orderBy(asc(disputeProposals.number));
  return rows.map((row) => ({ ...row, proposals: found.filter(({ disputeId }) => disputeId === row.id) }));
}

/**
 * Reads a dispute and its proposals from one snapshot: with a newer proposal than its `version`, the answer to it would be
 * refused.
 */
const inSnapshot = <T>(read: (on: Executor) => Promise<T>): Promise<T> =>
  db().transaction(read, { isolationLevel: 'repeatable read', accessMode: 'read only' });

/**
 * Returns a dispute.
 * @param on a transaction that has locked the dispute, or one with a snapshot
 * @throws AppError not_found
 */
export async function getDispute(id: string, on?: Executor): Promise<DisputeRow> {
  if (!on) return inSnapshot((snapshot) => getDispute(id, snapshot));
  const [row] = await addProposals(await selectDisputes(on).where(eq(disputes.id, id)), on);
  if (!row) throw disputeNotFoundError();
  return row;
}

/**
 * Returns the newest dispute of an order; undefined if there was none.
 * @param on as in `getDispute`
 */
export async function findDisputeOf(orderId: number, on?: Executor): Promise<DisputeRow | undefined> {
  if (!on) return inSnapshot((snapshot) => findDisputeOf(orderId, snapshot));
  const newest = selectDisputes(on).where(eq(disputes.orderId, orderId)).orderBy(desc(disputes.id)).limit(1);
  const [row] = await addProposals(await newest, on);
  return row;
}

/**
 * Returns the side for which a user reads and changes a dispute. A party of the order is never staff in it, nor is a member
 * of the buyer's account who does not see the order.
 * @throws AppError not_found for a user who is neither a party nor staff
 */
export function getReader(
  actor: Pick<Actor, 'userId' | 'accountRole' | 'memberOf' | 'role' | 'permissions' | keyof AccountScope>,
  { buyerId, projectId, sellerId }: Pick<DisputeRow, 'buyerId' | 'projectId' | 'sellerId'>,
): DisputeReader {
  if (hasAccountRight(actor.accountRole, 'account:orders') && seesRow(actor, { accountId: buyerId, projectId }))
    return 'buyer';
  if (actor.userId === sellerId) return 'seller';
  if (!actor.memberOf.includes(buyerId) && hasPermission(actor, 'ManageOrders')) return 'staff';
  throw disputeNotFoundError();
}

export const disputeNotFoundError = () => new AppError('not_found', 'This dispute does not exist.');

const isOpen = eq(disputes.state, 'open');
const isEnded = ne(disputes.state, 'open');

function disputesCondition({ reason, openedBy, q }: DisputesFilter): SQL | undefined {
  const number = /^#?(\d{1,9})$/.exec(q?.trim() ?? '')?.[1];
  return and(
    reason && eq(disputes.reason, reason),
    openedBy && eq(disputes.role, openedBy),
    q ? eq(disputes.orderId, Number(number ?? 0)) : undefined,
  );
}

/** Lists a page of the disputes for staff: open ones first. */
export async function listDisputes({
  sort,
  limit,
  offset,
  cursor,
  ...filter
}: z.output<typeof disputesQuery>): Promise<CursorPage<DisputeRow> & CappedCount> {
  const [page, counted] = await Promise.all([readPage(filter, sort, { limit, offset, cursor }), countDisputes(filter)]);
  return { ...page, rows: await addProposals(page.rows, db()), ...counted };
}

/** Reads all disputes that match a filter in batches, newest first. */
export const streamDisputes = (filter: DisputesFilter, batchSize: number, on: Reader = db()) =>
  readInBatches<DisputeRow>(batchSize, async (last) =>
    addProposals(
      await selectDisputes(on)
        .where(and(inState(filter), disputesCondition(filter), last && lt(disputes.id, last.id)))
        .orderBy(desc(disputes.id))
        .limit(batchSize),
      on,
    ),
  );

const inState = ({ state }: DisputesFilter) => state && (state === 'open' ? isOpen : isEnded);

/** Counts the disputes that match a filter, up to a cap. */
const countDisputes = (filter: DisputesFilter): Promise<CappedCount> =>
  countRows(disputes, and(inState(filter), disputesCondition(filter)));

/** Counts the disputes that are open for more than a day, up to a cap. */
export const countOverdueDisputes = (): Promise<CappedCount> =>
  countRows(disputes, and(isOpen, lt(disputes.createdAt, sql`now() - interval '1 day'`)));

type ListRow = Omit<DisputeRow, 'proposals'>;

/**
 * Reads a page of the open disputes and then of the ended ones, each along the index of its order. The position of a
 * cursor is that of its dispute now.
 */
async function readPage(
  { state, ...filter }: DisputesFilter,
  sort: DisputeSort,
  { limit, offset = 0, cursor }: PageRequest,
): Promise<CursorPage<ListRow>> {
  const isBack = cursor !== undefined && cursor.toward !== 'next';
  const start = cursor && 'id' in cursor ? await findPosition(cursor.id) : undefined;
  if (cursor && 'id' in cursor && !start) return { rows: [], next: null, previous: null };
  const isStartOpen = state === undefined ? start?.state === 'open' : state === 'open';
  const parts = [
    { is: isOpen, hasStart: start !== undefined && isStartOpen, isDescending: sort === 'amount' },
    { is: isEnded, hasStart: start !== undefined && !isStartOpen, isDescending: true },
  ].filter(({ is }) => state === undefined || is === (state === 'open' ? isOpen : isEnded));
  const ordered = isBack ? parts.reverse() : parts;
  const ranges = ordered
    .slice(
      Math.max(
        0,
        ordered.findIndex(({ hasStart }) => hasStart),
      ),
    )
    .map((part) => {
      const [direction, than] = part.isDescending === isBack ? [asc, sql`>`] : [desc, sql`<`];
      const beyond =
        start && part.hasStart
          ? sort === 'amount'
            ? sql`(${disputes.amountCents}, ${disputes.id}) ${than} (${start.amountCents}, ${start.id})`
            : sql`${disputes.id} ${than} ${start.id}`
          : undefined;
      const byId = direction(disputes.id);
      return {
        where: and(part.is, disputesCondition(filter), beyond),
        orderBy: sort === 'amount' ? sql`${direction(disputes.amountCents)}, ${byId}` : byId,
      };
    });
  const rows = await readRanges<ListRow>(
    ranges,
    { limit: limit + 1, offset: cursor ? 0 : offset },
    readRange,
    (where) => db().$count(disputes, where),
  );
  return toCursorPage(rows, { limit, offset, cursor });
}

async function findPosition(id: string) {
  const [row] = await db()
    .select({ id: disputes.id, state: disputes.state, amountCents: disputes.amountCents })
    .from(disputes)
    .where(eq(disputes.id, id));
  return row;
}

const readRange = ({ where, orderBy, limit, offset }: IdRange) =>
  selectDisputes(db()).where(where).orderBy(orderBy).limit(limit).offset(offset);
