import { and, desc, eq, inArray, isNotNull, isNull, lt, max, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { type CappedCount, countRows } from '@/db/count-up-to';
import { readIdPage } from '@/db/read-id-page';
import { readInBatches } from '@/db/read-in-batches';
import { accounts } from '@/db/schema/accounts';
import { checkCauses, type LinkStanding, linkChecks, linkProofs, linkVerdicts, linkWatches } from '@/db/schema/links';
import { orders } from '@/db/schema/orders';
import { placements } from '@/db/schema/placements';
import type { Reader } from '@/db/snapshot';
import type { CursorPage } from '@/lib/id-cursor';
import { linkStanding } from '@/lib/links/watches';
import { choiceParam, integerParam, numberCursorField, pageQuery } from '@/lib/platform/http/fields';

/** The query of GET /api/orders/{id}/checks. */
export const checksQuery = z.object({
  limit: integerParam(1, 100).default(50),
  before: integerParam(1, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('Only checks older than the check with this id.'),
});

type Check = typeof linkChecks.$inferSelect;

/** Lists the checks of an order's link, newest first. */
export const listChecks = (orderId: number, { limit, before }: z.output<typeof checksQuery>): Promise<Check[]> =>
  db()
    .select()
    .from(linkChecks)
    .where(and(eq(linkChecks.orderId, orderId), before === undefined ? undefined : lt(linkChecks.id, before)))
    .orderBy(desc(linkChecks.id))
    .limit(limit);

/** The query of GET /api/admin/link-checks. */
export const watchesQuery = pageQuery(25, 100).extend({
  verdict: choiceParam(linkVerdicts).optional().describe('The verdict of the newest check.'),
  cursor: numberCursorField,
});

const columns = {
  id: linkWatches.orderId,
  website: orders.website,
  packageName: orders.packageName,
  buyerEmail: accounts.email,
  sellerId: placements.sellerId,
  state: placements.state,
  pageUrl: linkWatches.pageUrl,
  targetUrl: linkWatches.targetUrl,
  verdict: linkWatches.verdict,
  checkedAt: linkWatches.checkedAt,
  notOkSince: linkWatches.notOkSince,
  brokenConfirmedAt: linkWatches.brokenConfirmedAt,
  repairDueAt: linkWatches.repairDueAt,
  unknownSince: linkWatches.unknownSince,
  nextCheckAt: linkWatches.nextCheckAt,
  endedAt: linkWatches.endedAt,
  // With the names of the tables: in a query of one table, Drizzle leaves them out of columns.
  reasons: sql<string[]>`(select ${linkChecks.reasons} from ${linkChecks}
    where ${linkChecks}.order_id = ${linkWatches}.order_id order by ${linkChecks}.id desc limit 1)`,
};
export type WatchRow = Awaited<ReturnType<typeof selectWatches>>[number];

const selectWatches = (on: Reader = db()) =>
  on
    .select(columns)
    .from(linkWatches)
    .innerJoin(orders, eq(orders.id, linkWatches.orderId))
    .innerJoin(accounts, eq(accounts.id, linkWatches.buyerId))
    .leftJoin(placements, eq(placements.orderId, linkWatches.orderId));

type Verdict = z.output<typeof watchesQuery>['verdict'];

/** Builds the condition for checked links, of one verdict; those that are checked no more are left out. */
const watchesCondition = (verdict: Verdict) =>
  and(verdict ? eq(linkWatches.verdict, verdict) : isNotNull(linkWatches.verdict), isNull(linkWatches.endedAt));

/** Reads all links that are checked in batches, by the newest order first. */
export const streamWatches = (verdict: Verdict, batchSize: number, on?: Reader) =>
  readInBatches<WatchRow>(batchSize, (last) =>
    selectWatches(on)
      .where(and(watchesCondition(verdict), last && lt(linkWatches.orderId, last.id)))
      .orderBy(desc(linkWatches.orderId))
      .limit(batchSize),
  );

/** Lists a page of the links that are checked, by the newest order first. */
export async function listWatches({
  verdict,
  limit,
  offset,
  cursor,
}: z.output<typeof watchesQuery>): Promise<CursorPage<WatchRow> & CappedCount> {
  const [page, counted] = await Promise.all([
    readIdPage(linkWatches.orderId, { limit, offset, cursor }, (range) =>
      selectWatches()
        .where(and(watchesCondition(verdict), range.where))
        .orderBy(range.orderBy)
        .limit(range.limit)
        .offset(range.offset),
    ),
    countRows(linkWatches, watchesCondition(verdict)),
  ]);
  return { ...page, ...counted };
}

/** The newest check of a link, by its order. */
export type NewestCheck = Pick<WatchRow, 'reasons' | 'notOkSince' | 'repairDueAt'> &
  Pick<Check, 'found' | 'rel' | 'anchor'> & { verdict: LinkStanding };

/** Reads what the newest checks of orders' links found. Orders whose link was never checked are left out. */
export async function listNewestChecks(orderIds: number[]): Promise<Map<number, NewestCheck>> {
  if (orderIds.length === 0) return new Map();
  const { id, notOkSince, repairDueAt } = columns;
  const newest = db()
    .select()
    .from(linkChecks)
    .where(eq(linkChecks.orderId, linkWatches.orderId))
    .orderBy(desc(linkChecks.id))
    .limit(1)
    .as('newest');
  const { reasons, found, rel, anchor } = newest;
  const rows = await db()
    .select({ id, verdict: linkStanding, notOkSince, repairDueAt, reasons, found, rel, anchor })
    .from(linkWatches)
    .leftJoinLateral(newest, sql`true`)
    .where(and(inArray(linkWatches.orderId, orderIds), isNotNull(linkWatches.verdict)));
  return new Map(
    rows.flatMap(({ id: orderId, verdict, reasons, found, rel, anchor, ...watch }) =>
      verdict
        ? [
            [
              orderId,
              {
                ...watch,
                verdict,
                reasons: reasons ?? [],
                found: found ?? false,
                rel: rel ?? '',
                anchor: anchor ?? '',
              },
            ],
          ]
        : [],
    ),
  );
}

/** Reads the result of the newest check of orders' links, or that they were lost. Unchecked orders are left out. */
export async function listLinkStandings(
  orderIds: readonly number[],
  on: Reader = db(),
): Promise<Map<number, LinkStanding>> {
  if (orderIds.length === 0) return new Map();
  const rows = await on
    .select({ id: linkWatches.orderId, verdict: linkStanding })
    .from(linkWatches)
    .where(inArray(linkWatches.orderId, [...orderIds]));
  return new Map(rows.flatMap(({ id, verdict }) => (verdict ? [[id, verdict] as const] : [])));
}

type OrderLink = {
  /** Null for an order whose link was never checked. */
  watch: typeof linkWatches.$inferSelect | null;
  /** Newest first. */
  checks: Check[];
  /** The newest passport; null without one. */
  proofId: string | null;
};

/** Reads what is known about the link of an order, for its screen. */
export async function getOrderLink(orderId: number): Promise<OrderLink> {
  const [[watch], checks, [proof]] = await Promise.all([
    db().select().from(linkWatches).where(eq(linkWatches.orderId, orderId)),
    listChecks(orderId, { limit: 40 }),
    db()
      .select({ id: max(linkProofs.id) })
      .from(linkProofs)
      .where(eq(linkProofs.orderId, orderId)),
  ]);
  return { watch: watch ?? null, checks, proofId: proof?.id ?? null };
}

/** What a check found on the page. */
const evidenceResponse = z.object({
  status: z.int().nullable().describe('The HTTP status of the final response; null without a response.'),
  finalUrl: z.string(),
  redirects: z.array(z.object({ status: z.int(), from: z.string(), to: z.string() })),
  found: z.boolean().describe('Whether the page has a visible link to the target.'),
  rel: z.string().describe('The tokens of the link’s `rel`.'),
  anchor: z.string().describe('The text of the link.'),
  indexable: z.boolean().nullable().describe('Whether search engines may show the page; null if it was not read.'),
  reasons: z.array(z.string()).describe('Codes of what explains the verdict.'),
});

/** The result of a check of an order's link. */
export const linkCheckResponse = z
  .object({
    id: z.int(),
    verdict: z.enum(linkVerdicts),
    checkedAt: z.iso.datetime(),
    cause: z.enum(checkCauses),
    pageUrl: z.string(),
    evidence: evidenceResponse,
  })
  .meta({ title: 'LinkCheck' });

export const linkChecksResponse = z.array(linkCheckResponse);

/** Returns a check as the buyer, the seller and staff see it. */
export function linkCheckView(row: typeof linkChecks.$inferSelect): z.output<typeof linkCheckResponse> {
  const { status, finalUrl, redirects, found, rel, anchor, indexable, reasons } = row;
  return {
    id: row.id,
    verdict: row.verdict,
    checkedAt: row.at.toISOString(),
    cause: row.cause,
    pageUrl: row.pageUrl,
    evidence: { status, finalUrl, redirects, found, rel, anchor, indexable, reasons },
  };
}

/** A link that is checked, as staff see it. */
const watchResponse = z
  .object({
    orderId: z.int(),
    website: z.string(),
    packageName: z.string(),
    buyerEmail: z.string(),
    fulfilledBy: z.enum(['seller', 'staff']),
    pageUrl: z.string(),
    targetUrl: z.string(),
    verdict: z.enum(linkVerdicts).nullable(),
    checkedAt: z.iso.datetime().nullable(),
    reasons: z.array(z.string()),
    notOkSince: z.iso.datetime().nullable().describe('Since when no check found the link in order.'),
    brokenConfirmedAt: z.iso.datetime().nullable(),
    repairDueAt: z.iso.datetime().nullable().describe('When the link is lost without a repair.'),
    unknownSince: z.iso.datetime().nullable(),
    nextCheckAt: z.iso.datetime().nullable(),
  })
  .meta({ title: 'WatchedLink' });

/** The response of GET /api/admin/link-checks. */
export const watchesResponse = z.object({
  links: z.array(watchResponse),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
});

export function watchView(row: WatchRow): z.output<typeof watchResponse> {
  const { website, packageName, buyerEmail, pageUrl, targetUrl, verdict, reasons } = row;
  const iso = (at: Date | null) => at?.toISOString() ?? null;
  return {
    orderId: row.id,
    website,
    packageName,
    buyerEmail,
    fulfilledBy: row.sellerId !== null && row.state !== 'taken_over' ? 'seller' : 'staff',
    pageUrl,
    targetUrl,
    verdict,
    checkedAt: iso(row.checkedAt),
    reasons: reasons ?? [],
    notOkSince: iso(row.notOkSince),
    brokenConfirmedAt: iso(row.brokenConfirmedAt),
    repairDueAt: iso(row.repairDueAt),
    unknownSince: iso(row.unknownSince),
    nextCheckAt: iso(row.nextCheckAt),
  };
}
