import { and, desc, eq, isNotNull, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { clientReports } from '@/db/schema/client-reports';
import { orderRequestLines, orderRequests } from '@/db/schema/order-requests';
import { mayApprove, seesRow } from '@/lib/access/account-roles';
import type { Actor } from '@/lib/access/actor';
import { spendByToken } from '@/lib/auth/spend-by-token';
import { AppError } from '@/lib/errors';
import type { ClientPrices } from '@/lib/orders/client-reports/rows';
import { notifyClients } from '@/lib/orders/notices/notify-request';
import { recordAudit } from '@/lib/platform/audit/record';
import { dayMs } from '@/lib/platform/durations';
import { type CreateLinkInput, linkDays } from './client-contract';
import { createLinkToken, getApprovalUrl } from './client-token';
import { lockRequest } from './close';
import { requestNotFoundError } from './contract';

/** The replaced links of a request whose hashes are kept; a program cannot fill the row. */
const maxFormerLinks = 50;

/**
 * Creates the link with which a client answers an open request, and revokes the one before. Its creator approves the lines
 * that the client ticks, so it takes who may approve the request. A request that would expire earlier stays open until the
 * end of the link. The whole request counts against the daily limit of an API token.
 * @throws AppError not_found; forbidden for a member who may not approve the request, and beyond that limit; conflict for a
 * request that is not open or that the client answered
 */
export async function createLink(
  actor: Actor,
  requestId: string,
  input: CreateLinkInput,
): Promise<{ url: string; expiresAt: string }> {
  const expiresAt = new Date(input.expiresAt ?? Date.now() + linkDays * dayMs);
  const { token, hash } = createLinkToken();
  await db().transaction(async (tx) => {
    const request = await lockApprovable(tx, actor, requestId);
    if (request.state !== 'open' || request.expiresAt.getTime() <= Date.now())
      throw new AppError('conflict', 'This request is not open any more.');
    if (request.linkAnsweredAt) throw new AppError('conflict', 'The client has answered this request.');
    // The answer pays without the token.
    await spendByToken(tx, actor, request.totalCents);
    const prices = toPrices(input) ?? (await findLastPrices(tx, request.projectId));
    await tx
      .update(orderRequests)
      .set({
        linkHash: hash,
        formerLinkHashes: [request.linkHash ?? [], request.formerLinkHashes].flat().slice(0, maxFormerLinks),
        linkCreatedBy: actor.userId,
        linkCreatedAt: sql`now()`,
        linkExpiresAt: expiresAt,
        linkRevokedAt: null,
        linkPrices: prices.prices,
        linkMarkupPercent: prices.markupPercent,
        linkFixedCents: prices.fixedCents,
        expiresAt: sql`greatest(${orderRequests.expiresAt}, ${expiresAt.toISOString()}::timestamptz)`,
        version: sql`${orderRequests.version} + 1`,
      })
      .where(eq(orderRequests.id, requestId));
    await tx
      .update(orderRequestLines)
      .set({ sentCents: orderRequestLines.cents, sentTaxCents: orderRequestLines.taxCents })
      .where(eq(orderRequestLines.requestId, requestId));
    await recordAudit(tx, actor, {
      action: 'request.link_created',
      details: `${actor.email} created a link with which a client can approve a request for ${request.projectDomain}.`,
      entityType: 'order_request',
      entityId: requestId,
      after: { expiresAt: expiresAt.toISOString(), prices: prices.prices },
    });
    await notifyClients(tx, actor, request, {
      kind: 'request.opened',
      heading: `Sites for ${request.projectDomain} wait for your answer`,
      lines: [{ text: `${actor.name || actor.email} sent them.` }],
    });
  });
  return { url: getApprovalUrl(token), expiresAt: expiresAt.toISOString() };
}

/**
 * Revokes the link of a request: its address stops working. Idempotent.
 * @throws AppError not_found; forbidden for a member who may not approve the request
 */
export async function revokeLink(actor: Actor, requestId: string): Promise<void> {
  await db().transaction(async (tx) => {
    const request = await lockApprovable(tx, actor, requestId);
    if (request.linkHash === null || request.linkRevokedAt) return;
    await tx
      .update(orderRequests)
      .set({ linkRevokedAt: sql`now()`, version: sql`${orderRequests.version} + 1` })
      .where(eq(orderRequests.id, requestId));
    await recordAudit(tx, actor, {
      action: 'request.link_revoked',
      details: `${actor.email} revoked the link of a request for ${request.projectDomain}.`,
      entityType: 'order_request',
      entityId: requestId,
    });
  });
}

/** Locks a request that the actor may approve. @throws AppError not_found or forbidden */
async function lockApprovable(tx: Executor, actor: Actor, requestId: string) {
  const request = await lockRequest(tx, requestId);
  if (!seesRow(actor, request)) throw requestNotFoundError();
  if (mayApprove(actor, request)) return request;
  throw new AppError(
    'forbidden',
    'Only who may approve this request can send it to the client. Ask an owner or a manager.',
  );
}

const toPrices = ({ prices, markupPercent, fixedCents }: CreateLinkInput): ClientPrices | null =>
  prices === undefined ? null : { prices, markupPercent: markupPercent ?? null, fixedCents: fixedCents ?? null };

const noPrices: ClientPrices = { prices: 'none', markupPercent: null, fixedCents: null };

/** Reads the prices that the client of a project saw last: in a link, otherwise in a report. */
async function findLastPrices(tx: Executor, projectId: string): Promise<ClientPrices> {
  const { linkPrices: prices, linkMarkupPercent: markupPercent, linkFixedCents: fixedCents } = orderRequests;
  const [link] = await tx
    .select({ prices, markupPercent, fixedCents })
    .from(orderRequests)
    .where(and(eq(orderRequests.projectId, projectId), isNotNull(orderRequests.linkCreatedAt)))
    .orderBy(desc(orderRequests.linkCreatedAt))
    .limit(1);
  if (link) return link;
  const [report] = await tx
    .select({
      prices: clientReports.prices,
      markupPercent: clientReports.markupPercent,
      fixedCents: clientReports.fixedCents,
    })
    .from(clientReports)
    .where(eq(clientReports.projectId, projectId))
    .orderBy(desc(clientReports.createdAt), desc(clientReports.id))
    .limit(1);
  return report ?? noPrices;
}
