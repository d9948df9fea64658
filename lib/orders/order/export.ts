import type { z } from 'zod';
import { db } from '@/db/client';
import { placements } from '@/db/schema/placements';
import { orderTaxes } from '@/db/schema/tax';
import type { Reader } from '@/db/snapshot';
import type { Actor } from '@/lib/access/actor';
import { toDecimalString } from '@/lib/money';
import { type AdminOrderRow, orderView } from '@/lib/orders/contract';
import { getSettledPart } from '@/lib/orders/placements/shares';
import { csvLine } from '@/lib/platform/csv';
import { listResponse } from '@/lib/platform/http/list-response';
import { type AdminOrdersFilter, streamAllOrders } from './desk-queries';
import { countOwnOrders, selectOwnOrders } from './queries';
import { allOrdersQuery, type ownOrdersQuery } from './schemas';

/** Small enough to read and format a batch within a few milliseconds. */
const batchSize = 250;

type Column = readonly [header: string, cell: (order: AdminOrderRow) => string | number | null];

const columns: readonly Column[] = [
  ['Order', (order) => order.id],
  ['Ordered', (order) => order.createdAt.toISOString()],
  ['Changed', (order) => order.updatedAt.toISOString()],
  ['Status', (order) => order.status],
  ['Buyer', (order) => order.userName],
  ['Buyer Email', (order) => order.userEmail],
  ['Website', (order) => order.website],
  ['Post Type', (order) => order.postType],
  ['Package', (order) => order.packageName],
  ['Quantity', (order) => order.quantity],
  ['Price', (order) => toDecimalString(order.priceCents)],
  ['Currency', (order) => order.currency],
  ['Charged USD', (order) => toDecimalString(order.chargedCents)],
  ['Project', (order) => order.projectDomain],
  ['Target URL', (order) => order.projectTargetUrl],
  ['Keywords', (order) => order.projectKeywords],
  ['Live Link', (order) => order.linkUrl],
  ['Content', (order) => order.contentFileName],
  ['Comments', (order) => order.adminComments],
];

/** Only a settlement of a placement refunds a part of a price; otherwise the status says what was refunded. */
const refundColumn: Column = ['Refunded USD', (order) => toDecimalString(getRefundedCents(order))];

const getRefundedCents = ({ status, chargedCents, placement }: AdminOrderRow) =>
  status === 'Refunded' ? chargedCents : getSettledPart(chargedCents, placement);

/** Columns of an installation with placements. */
const placementColumns: readonly Column[] = [
  ['Fulfilled By', (order) => (order.isFulfilledBySeller ? order.sellerName : 'Staff')],
  ['Seller Email', (order) => (order.isFulfilledBySeller ? order.sellerEmail : null)],
  [
    'Seller Earns USD',
    ({ placement, isFulfilledBySeller }) =>
      placement && isFulfilledBySeller ? toDecimalString(placement.sellerCents - placement.sellerReturnedCents) : null,
  ],
  ['Placement', ({ placement }) => placement?.state ?? null],
  ['Due', ({ placement }) => placement?.deliveryDueAt?.toISOString() ?? null],
];

/** The last column of an installation that charged tax; the other amounts are without it. */
const taxColumn: Column = ['Tax USD', (order) => toDecimalString(order.taxCents)];

/** Streams the filtered list of all orders as CSV (RFC 4180), newest first, in batches. */
export async function* exportOrders(filter: AdminOrdersFilter, on: Reader = db()): AsyncGenerator<string> {
  const [anyPlacement] = await on.select({ id: placements.orderId }).from(placements).limit(1);
  const [anyTax] = await on.select({ key: orderTaxes.movementKey }).from(orderTaxes).limit(1);
  const known = anyPlacement ? [...columns, refundColumn, ...placementColumns] : columns;
  const shown = anyTax ? [...known, taxColumn] : known;
  // The byte order mark marks the file as UTF-8 for spreadsheets.
  yield `\uFEFF${csvLine(shown.map(([header]) => header))}`;
  for await (const rows of streamAllOrders(filter, batchSize, on)) {
    yield rows.map((order) => csvLine(shown.map(([, cell]) => cell(order)))).join('');
  }
}

/** Answers GET /api/orders. @throws AppError rate_limited for a long list without a limit */
export const respondWithOwnOrders = (actor: Actor, query: z.output<typeof ownOrdersQuery>) =>
  listResponse({
    caller: actor,
    limit: query.limit,
    rows: selectOwnOrders(actor, query),
    count: (on) => countOwnOrders(actor, query, on),
    view: orderView,
  });

/** The filters of the staff's order list and of its export. */
export const adminOrdersFilter = allOrdersQuery.omit({
  ...{ limit: true, offset: true, cursor: true, sort: true, order: true },
});
