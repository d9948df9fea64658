import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { orderRequestLines, orderRequests } from '@/db/schema/order-requests';
import { orders } from '@/db/schema/orders';
import { users } from '@/db/schema/users';
import type { Actor, AnyActor, SystemActor } from '@/lib/access/actor';
import { AppError, type ErrorCode } from '@/lib/errors';
import { notifyApprovers } from '@/lib/orders/notices/notify-request';
import { InsufficientFunds } from '@/lib/orders/shortage';
import { recordAudit } from '@/lib/platform/audit/record';
import { orderRequest } from './approve';
import type { ClientAnswer, ClientAnswerResult } from './client-contract';
import { findSentRequest } from './client-queries';
import { findLink, getLinkState, isSentToClient, type SentRequest, selectSent } from './client-read';
import { lockOpenRequest } from './close';
import type { RequestView } from './contract';
import { declineLocked } from './decline';
import { getRequest } from './queries';

/**
 * Answers a request behind its link: orders the approved lines for the requester, and declines the others. If they cannot be
 * ordered now, e.g. because a price changed or the balance is too low, the answer is kept, and the members who may approve
 * the request are told. A link is answered once.
 * @param actor the client, with the address for the audit log
 * @throws AppError not_found for an unknown link; gone for one that was revoked or has ended; conflict for one that was
 * answered; unprocessable unless each line of the request is answered once
 */
export async function answerLink(actor: SystemActor, token: string, lines: ClientAnswer): Promise<ClientAnswerResult> {
  const link = await findLink(token);
  if (!link) throw new AppError('not_found', 'This link does not exist.');
  if (!link.request) throw goneError();
  return answer(actor, null, link.request, lines);
}

type MembersAnswer = {
  /** The lines to order. Default: all. */
  lineIds?: readonly string[] | undefined;
  comments?: Readonly<Record<string, string>> | undefined;
};

/**
 * Answers a request as a member with the role Client, with the effect of an answer behind the link.
 * @returns the request as the client sees it; open if the answer is kept
 * @throws AppError not_found, also for a request that was not sent to the client; unprocessable for a line of another
 * request; and gone or conflict as `answerLink`
 */
export async function answerAsClient(
  actor: Actor,
  requestId: string,
  { lineIds, comments = {} }: MembersAnswer,
): Promise<RequestView> {
  const request = await findSentRequest(actor, requestId);
  const ids = (await listSentLines(requestId)).map(({ id }) => id);
  if ([...(lineIds ?? []), ...Object.keys(comments)].some((id) => !ids.includes(id))) throw foreignLineError();
  const lines = ids.map((id) => ({ id, approved: lineIds?.includes(id) ?? true, comment: comments[id] }));
  await answer(actor, actor.userId, request, lines);
  return getRequest(actor, requestId);
}

async function answer(
  by: AnyActor,
  decidedBy: string | null,
  request: SentRequest,
  lines: ClientAnswer,
): Promise<ClientAnswerResult> {
  requireOpen(request);
  const sent = await listSentLines(request.id);
  requireEachLine(
    sent.map(({ id }) => id),
    lines,
  );
  const lineIds = lines.filter(({ approved }) => approved).map(({ id }) => id);
  const record = (tx: Executor) => recordAnswer(tx, request.id, lines);
  if (lineIds.length === 0) {
    await db().transaction(async (tx) => {
      await lockOpenRequest(tx, request.id);
      await record(tx);
      await declineLocked(tx, by, request.id, { decidedBy });
    });
    return { state: 'declined' };
  }
  try {
    await orderRequest(by, request.id, {
      ...{ lineIds, decidedBy },
      shownTotalCents: sent.reduce((sum, { id, cents }) => (lineIds.includes(id) ? sum + cents : sum), 0),
      record: async (tx) => {
        await record(tx);
        await recordApproval(tx, by, request.id);
      },
    });
    return { state: 'ordered' };
  } catch (thrown) {
    const refusal = toRefusal(thrown);
    if (refusal === null) throw thrown;
    await keepAnswer(by, request, lines, { record, refusal });
    return { state: 'kept' };
  }
}

/** The errors after which the client can send the answer again. The others wait for the agency. */
const passingCodes: readonly ErrorCode[] = [
  'internal',
  'provider_failed',
  'rate_limited',
  'storage_full',
  'unavailable',
];

/** Returns why lines cannot be ordered, for who approves; null for an error of another kind. */
function toRefusal(thrown: unknown): string | null {
  if (thrown instanceof InsufficientFunds) return 'The balance of the wallet is too low.';
  return thrown instanceof AppError && !passingCodes.includes(thrown.code) ? thrown.message : null;
}

function requireOpen(request: SentRequest): void {
  const state = getLinkState(request);
  if (state === 'answered') throw answeredError();
  if (state === 'gone') throw goneError();
}

const answeredError = () => new AppError('conflict', 'This request was answered already.');
const goneError = () => new AppError('gone', 'This link has ended. Ask the sender for a new one.');

function requireEachLine(known: readonly string[], lines: ClientAnswer): void {
  const answered = new Set(lines.map(({ id }) => id));
  if (lines.length > answered.size) throw new AppError('unprocessable', 'Answer each line once.');
  if (known.some((id) => !answered.has(id))) throw new AppError('unprocessable', 'Approve or decline every line.');
  if (answered.size > known.length) throw foreignLineError();
}

const foreignLineError = () => new AppError('unprocessable', 'A line is not part of this request.');

/** Lists the lines of a request with what they cost with tax when they were sent to the client. */
const listSentLines = (requestId: string) =>
  db()
    .select({
      id: orderRequestLines.id,
      cents: sql<number>`${orderRequestLines.sentCents} + ${orderRequestLines.sentTaxCents}`.mapWith(Number),
    })
    .from(orderRequestLines)
    .where(eq(orderRequestLines.requestId, requestId))
    .orderBy(asc(orderRequestLines.position));

/**
 * Records in the transaction of an answer that the client answered, with the comments. Another answer waits for it.
 * @throws AppError conflict or gone for a request that was answered, revoked or ended in the meantime
 */
async function recordAnswer(tx: Executor, requestId: string, lines: ClientAnswer): Promise<void> {
  const recorded = await tx
    .update(orderRequests)
    .set({ linkAnsweredAt: sql`now()`, version: sql`${orderRequests.version} + 1` })
    .where(
      and(
        eq(orderRequests.id, requestId),
        isNull(orderRequests.linkAnsweredAt),
        isSentToClient,
        sql`${orderRequests.linkExpiresAt} > now()`,
      ),
    )
    .returning({ id: orderRequests.id });
  if (recorded.length === 0) {
    const [current] = await selectSent(tx).where(eq(orderRequests.id, requestId));
    throw current?.answeredAt ? answeredError() : goneError();
  }
  for (const { id, comment = '' } of lines)
    await tx.update(orderRequestLines).set({ comment }).where(isLine(requestId, id));
}

/** Records in the history of each order that the client approved it, and who asked the client. */
async function recordApproval(tx: Executor, by: AnyActor, requestId: string): Promise<void> {
  const ordered = await tx
    .select({ id: orders.id, sender: users.name })
    .from(orderRequests)
    .innerJoin(orders, eq(orders.checkoutId, orderRequests.checkoutId))
    .innerJoin(users, eq(users.id, orderRequests.linkCreatedBy))
    .where(eq(orderRequests.id, requestId));
  const entries = ordered.map(({ id, sender }) => {
    const approval =
      by.userId === null
        ? `The client approved through the link that ${sender} created`
        : `The client approved in the portal what ${sender} sent`;
    return {
      action: 'order.approved_by_client',
      details: `Order #${id}: ${approval.replace('The', 'the')}.`,
      entityType: 'order',
      entityId: id,
      after: { approval },
    };
  });
  await recordAudit(tx, by, ...entries);
}

const isLine = (requestId: string, id: string) =>
  and(eq(orderRequestLines.id, id), eq(orderRequestLines.requestId, requestId));

/** Stores an answer that cannot be ordered now. The request stays open. @throws as `recordAnswer` */
async function keepAnswer(
  by: AnyActor,
  request: SentRequest,
  lines: ClientAnswer,
  { record, refusal }: { record: (tx: Executor) => Promise<void>; refusal: string },
): Promise<void> {
  const { id, projectDomain } = request;
  await db().transaction(async (tx) => {
    await lockOpenRequest(tx, id);
    await record(tx);
    for (const { id: lineId, approved } of lines)
      await tx
        .update(orderRequestLines)
        .set({ state: approved ? 'approved' : 'declined' })
        .where(isLine(id, lineId));
    await recordAudit(tx, by, {
      action: 'request.answered',
      details: `The client answered a request for ${projectDomain}, which could not be ordered.`,
      entityType: 'order_request',
      entityId: id,
      after: { approved: lines.filter(({ approved }) => approved).length, lines: lines.length },
    });
    await notifyApprovers(tx, by, request, {
      kind: 'request.answered',
      heading: `The client answered an order for ${projectDomain}`,
      lines: [{ text: `${refusal} Please confirm the order, or decline it.` }],
    });
  });
}
