import { and, gt } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import type { LinkStanding } from '@/db/schema/links';
import { orders } from '@/db/schema/orders';
import type { Reader } from '@/db/snapshot';
import { isInScope } from '@/lib/access/account-roles';
import type { AccountScope } from '@/lib/access/actor';
import { verdictNames } from '@/lib/links/describe-reason';
import { toDecimalString, walletCurrency } from '@/lib/money';
import { type CsvColumn, generateCsv } from '@/lib/platform/csv';
import { choiceParam } from '@/lib/platform/http/fields';
import { buyerOrderView, buyerStatuses, buyerTabNames, listStatusesShownAs, type OrderRow } from './contract';
import { describeOrderStatus } from './describe-status';
import { listLinkStandings } from './link-checks/queries';
import { streamOwnOrders } from './order/queries';
import { getSettledPart } from './placements/shares';

/** The filters of My Orders, of the screen and of its export. */
export const buyerOrdersQuery = z.object({
  q: z.string().trim().max(200).optional().describe('A number, or a part of a website, package or project.'),
  status: choiceParam(buyerStatuses).optional(),
  project: z.string().trim().max(64).optional().describe('The id of a project.'),
  tab: choiceParam(buyerTabNames).optional().describe('A tab of the screen; all orders without one.'),
});
type Query = z.output<typeof buyerOrdersQuery>;

/** Returns the filter of the list for the filters of the screen. */
export const toOwnFilter = ({ q, status, project, tab }: Query) => ({
  q,
  statuses: listStatusesShownAs(status ?? ''),
  projectId: project,
  part: tab,
});

type Row = OrderRow & { verdict: LinkStanding | null };

const iso = (at: Date | null | undefined) => at?.toISOString() ?? null;

/** The columns for a buyer: nothing of the seller, the seller's price and the margin. */
const columns: readonly CsvColumn<Row>[] = [
  ['Order', ({ id }) => id],
  ['Ordered (UTC)', ({ createdAt }) => iso(createdAt)],
  ['Status', (row) => describeOrderStatus({ ...buyerOrderView(row), verdict: row.verdict }, 'buyer').label],
  ['Website', ({ website }) => website],
  ['Post type', ({ postType }) => postType],
  ['Package', ({ packageName }) => packageName],
  ['Quantity', ({ quantity }) => quantity],
  ['Project', ({ projectDomain }) => projectDomain],
  ['Target URL', ({ brief, projectTargetUrl }) => brief?.targetUrl || projectTargetUrl],
  ['Anchor text', ({ brief }) => brief?.anchor ?? ''],
  ['Price', ({ priceCents }) => toDecimalString(priceCents)],
  ['Currency', ({ currency }) => currency],
  [`Charged (${walletCurrency})`, ({ chargedCents }) => toDecimalString(chargedCents)],
  [`Refunded (${walletCurrency})`, (row) => toDecimalString(getRefundedCents(row))],
  ['Due (UTC)', ({ placement }) => iso(placement?.deliveryDueAt)],
  ['Delivered (UTC)', ({ placement }) => iso(placement?.deliveredAt)],
  ['Review ends (UTC)', ({ placement }) => (placement?.state === 'delivered' ? iso(placement.approveDueAt) : null)],
  ['Approved (UTC)', ({ placement }) => iso(placement?.approvedAt)],
  ['Link', ({ linkUrl, placement }) => linkUrl || placement?.deliveredUrl || ''],
  ['Link check', ({ verdict }) => verdict && verdictNames[verdict]],
  ['Content', ({ contentFileName }) => contentFileName],
  ['Comments', ({ adminComments }) => adminComments],
];

/** Only a settlement of a placement refunds a part of a price; otherwise the status says what was refunded. */
const getRefundedCents = ({ status, chargedCents, placement }: OrderRow) =>
  status === 'Refunded' ? chargedCents : getSettledPart(chargedCents, placement);

/** The last column, for a buyer who was charged tax; the other amounts are without it. */
const taxColumn: CsvColumn<Row> = [`Tax (${walletCurrency})`, ({ taxCents }) => toDecimalString(taxCents)];

/** Generates the filtered list of a buyer's orders as CSV, newest first, in batches. */
export async function* exportOwnOrders(actor: AccountScope, query: Query, on: Reader = db()): AsyncGenerator<string> {
  const [taxed] = await on
    .select({ id: orders.id })
    .from(orders)
    .where(and(isInScope(actor, orders), gt(orders.taxCents, 0)))
    .limit(1);
  const shown = taxed ? [...columns, taxColumn] : columns;
  yield* generateCsv(shown, withVerdicts(streamOwnOrders(actor, toOwnFilter(query), on), on));
}

async function* withVerdicts(batches: AsyncIterable<OrderRow[]>, on: Reader): AsyncGenerator<Row[]> {
  for await (const rows of batches) {
    const verdicts = await listLinkStandings(
      rows.map(({ id }) => id),
      on,
    );
    yield rows.map((row) => ({ ...row, verdict: verdicts.get(row.id) ?? null }));
  }
}
