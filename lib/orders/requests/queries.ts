import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { db, type Executor } from '@/db/client';
import { type CappedCount, countRows } from '@/db/count-up-to';
import { readIdPage } from '@/db/read-id-page';
import { accounts } from '@/db/schema/accounts';
import { orderRequestLines, orderRequests } from '@/db/schema/order-requests';
import { orders } from '@/db/schema/orders';
import { packages } from '@/db/schema/packages';
import { projects } from '@/db/schema/projects';
import { sites } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import { isInScope, mayApprove } from '@/lib/access/account-roles';
import type { Actor } from '@/lib/access/actor';
import type { CursorPage } from '@/lib/id-cursor';
import { resolveBrief } from '@/lib/orders/briefs/schemas';
import { computeClientPrice } from '@/lib/orders/client-reports/rows';
import { type CreateOrderInput, createOrderBody } from '@/lib/orders/order/schemas';
import { describeReason } from '@/lib/orders/spending/decide-spend';
import { parseInput } from '@/lib/platform/http/parse';
import { isLasting, isSentToClient } from './client-read';
import { type RequestsQuery, type RequestView, requestNotFoundError } from './contract';

const requester = alias(users, 'requester');
const decider = alias(users, 'decider');

const selectRequests = (on: Executor) =>
  on
    .select({
      request: orderRequests,
      // A column of its own, by which pages are read.
      id: orderRequests.id,
      projectDomain: projects.domain,
      projectTargetUrl: projects.targetUrl,
      requesterName: requester.name,
      deciderName: decider.name,
      isLinkLasting: sql<boolean>`coalesce((${isLasting}), false)`,
    })
    .from(orderRequests)
    .innerJoin(projects, eq(projects.id, orderRequests.projectId))
    .innerJoin(accounts, eq(accounts.id, orderRequests.accountId))
    .innerJoin(requester, eq(requester.id, orderRequests.requestedBy))
    .leftJoin(decider, eq(decider.id, orderRequests.decidedBy));
type Row = Awaited<ReturnType<typeof selectRequests>>[number];

/** The requests of the account and its projects that a member sees: clients those that were sent to the client. */
const isSeenBy = (actor: Actor): SQL | undefined =>
  and(
    isInScope(actor, { accountId: orderRequests.accountId, projectId: orderRequests.projectId }),
    actor.accountRole === 'client' ? isSentToClient : undefined,
  );

/** Lists a page of the requests of the account that the actor sees, newest first. */
export async function listRequests(
  actor: Actor,
  { state, projectId, ...page }: RequestsQuery,
): Promise<CursorPage<RequestView> & CappedCount> {
  const where = and(
    isSeenBy(actor),
    state && eq(orderRequests.state, state),
    projectId === undefined ? undefined : eq(orderRequests.projectId, projectId),
  );
  const [found, counted] = await Promise.all([
    readIdPage(orderRequests.id, page, (range) =>
      selectRequests(db())
        .where(and(where, range.where))
        .orderBy(range.orderBy)
        .limit(range.limit)
        .offset(range.offset),
    ),
    countRows(orderRequests, where),
  ]);
  return { ...found, rows: await toViews(actor, found.rows), ...counted };
}

/**
 * Returns a request.
 * @throws AppError not_found, also for one of another account, of a project that the actor does not see, and for a client
 * one that was not sent to the client
 */
export async function getRequest(actor: Actor, id: string): Promise<RequestView> {
  const [view] = await toViews(actor, await selectRequests(db()).where(and(eq(orderRequests.id, id), isSeenBy(actor))));
  if (!view) throw requestNotFoundError();
  return view;
}

/** Reads the request that the actor sees, with its project. @throws AppError not_found, as `getRequest` */
export async function findRequest(actor: Actor, id: string): Promise<Row['request']> {
  const [row] = await selectRequests(db()).where(and(eq(orderRequests.id, id), isSeenBy(actor)));
  if (!row) throw requestNotFoundError();
  return row.request;
}

/** Reads the stored order of a request. */
export const parseStoredOrder = ({ body }: Pick<Row['request'], 'body'>): CreateOrderInput =>
  parseInput(createOrderBody, body);

async function toViews(actor: Actor, rows: readonly Row[]): Promise<RequestView[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const bodies = new Map(rows.map(({ request }) => [request.id, parseStoredOrder(request)]));
  const packageIds = [...bodies.values()].flatMap((body) => (body.kind === 'package' ? [body.packageId] : []));
  const checkoutIds = rows.flatMap(({ request }) => request.checkoutId ?? []);
  const [lines, named, ordered] = await Promise.all([
    db()
      .select({ line: orderRequestLines, url: sites.url })
      .from(orderRequestLines)
      .leftJoin(sites, eq(sites.id, orderRequestLines.siteId))
      .where(inArray(orderRequestLines.requestId, ids))
      .orderBy(asc(orderRequestLines.position)),
    packageIds.length === 0
      ? []
      : db().select({ id: packages.id, name: packages.name }).from(packages).where(inArray(packages.id, packageIds)),
    checkoutIds.length === 0
      ? []
      : db()
          .select({ id: orders.id, checkoutId: orders.checkoutId, siteId: orders.siteId })
          .from(orders)
          .where(inArray(orders.checkoutId, checkoutIds)),
  ]);
  const nameOf = new Map(named.map(({ id, name }) => [id, name]));
  return rows.map((row) => {
    const body = bodies.get(row.id);
    const own = lines.flatMap(({ line, url }) => {
      if (line.requestId !== row.id || !body) return [];
      const order = ordered.find(
        ({ checkoutId, siteId }) => checkoutId === row.request.checkoutId && siteId === line.siteId,
      );
      const packageId = body.kind === 'package' ? body.packageId : null;
      const name = url ?? nameOf.get(packageId ?? 0) ?? '';
      const brief = resolveBrief(row.projectTargetUrl, body.brief, body.briefs?.[line.siteId ?? 0]);
      const quantity = body.kind === 'package' ? body.quantity : 1;
      return [
        { ...line, packageId, name, quantity, brief, orderId: line.state === 'approved' ? (order?.id ?? null) : null },
      ];
    });
    return toView(actor, row, own);
  });
}

type LineRow = typeof orderRequestLines.$inferSelect & {
  packageId: number | null;
  name: string;
  quantity: number;
  brief: { targetUrl: string; anchor: string };
  orderId: number | null;
};

/**
 * Only who may approve a request and its requester read the amounts of the limits; a client reads no money of the agency,
 * and Finance no briefs.
 */
function toView(actor: Actor, { request, ...row }: Row, lines: readonly LineRow[]): RequestView {
  const isClient = actor.accountRole === 'client';
  const isFinance = actor.accountRole === 'finance';
  const readsReasons = !isClient && (mayApprove(actor, request) || request.requestedBy === actor.userId);
  const isOpen = request.state === 'open' && request.expiresAt > new Date();
  const link = linkView(request, isOpen && row.isLinkLasting);
  const { linkPrices: prices, linkMarkupPercent: markupPercent, linkFixedCents: fixedCents } = request;
  const shown = lines.map(({ id, siteId, packageId, name, quantity, state, comment, brief, ...line }) => ({
    ...{ id, siteId, packageId, name, quantity },
    cents: isClient ? computeClientPrice(line.sentCents, { prices, markupPercent, fixedCents }) : line.cents,
    taxCents: isClient ? null : line.taxCents,
    ...{ state, comment, targetUrl: isFinance ? null : brief.targetUrl, anchor: isFinance ? null : brief.anchor },
    orderId: isClient ? null : line.orderId,
  }));
  return {
    id: request.id,
    state: request.state,
    projectId: request.projectId,
    projectDomain: row.projectDomain,
    requestedBy: { id: request.requestedBy, name: row.requesterName },
    reasons: readsReasons ? request.reasons.map((reason) => ({ ...reason, text: describeReason(reason) })) : [],
    lines: shown,
    totalCents: isClient ? sumPrices(shown.map(({ cents }) => cents)) : request.totalCents,
    // Members wrote it for each other.
    note: isClient ? '' : request.note,
    decidedBy: request.decidedBy === null ? null : { id: request.decidedBy, name: row.deciderName ?? '' },
    decidedAt: request.decidedAt?.toISOString() ?? null,
    isAnsweredByClient: request.linkAnsweredAt !== null,
    mayAnswer: isClient ? link?.state === 'open' : isOpen && mayApprove(actor, request),
    link: isClient ? null : link,
    createdAt: request.createdAt.toISOString(),
    expiresAt: request.expiresAt.toISOString(),
  };
}

const sumPrices = (prices: readonly (number | null)[]): number | null =>
  prices.some((cents) => cents === null) ? null : prices.reduce<number>((sum, cents) => sum + (cents ?? 0), 0);

/** @param isOpen whether a link that was neither revoked nor answered works */
function linkView(
  { linkHash, linkExpiresAt, linkRevokedAt, linkAnsweredAt }: Row['request'],
  isOpen: boolean,
): RequestView['link'] {
  if (linkHash === null || linkExpiresAt === null) return null;
  const state = linkRevokedAt ? 'revoked' : linkAnsweredAt ? 'answered' : isOpen ? 'open' : 'ended';
  return { state, expiresAt: linkExpiresAt.toISOString() };
}
