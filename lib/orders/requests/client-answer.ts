import { and, eq, isNull, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { orderRequestLines, orderRequests } from '@/db/schema/order-requests';
import { isInScope } from '@/lib/access/account-roles';
import { type Actor, type AnyActor, systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { AppError, type ErrorCode } from '@/lib/errors';
import { orderRequest } from './approve';
import { requestNotFoundError } from './contract';
import { notifyApprovers, notifyRequester } from '@/lib/orders/notices/notify-request';
import { recordAudit } from '@/lib/platform/audit/record';
import type { ClientAnswer, ClientAnswerResult } from './client-contract';
import { findLink, getLinkState, isSentToClient, type SentRequest, selectSent } from './client-read';

/**
 * Answers a request behind its link: orders the approved lines for the requester, and declines the others. If they cannot be
 * ordered now, e.g. because a price changed or the balance is too low, the answer is kept, and the members who may approve
 * the request are told. A link is answered once.
 * @throws AppError not_found for an unknown link; gone for one that was revoked or has ended; conflict for one that was
 * answered; unprocessable unless each line of the request is answered once
 */
export async function answerLink(
  token: string,
  lines: ClientAnswer,
  context: { ip: string; requestId: string },
): Promise<ClientAnswerResult> {
  const link = await findLink(token);
  if (!link) throw new AppError('not_found', 'This link does not exist.');
  if (!link.request) throw goneError();
  return answer(systemActor(systemActors.clientLink, 'web', context), null, link.request, lines);
}

/**
 * Answers a request as a member with the role Client, with the effect of an answer behind the link.
 * @throws AppError not_found, also for a request that was not sent to the client; and those of `answerLink`
 */
export async function answerAsClient(actor: Actor, requestId: string, lines: ClientAnswer): Promise<ClientAnswerResult> {
  const [request] = await selectSent(db()).where(
    and(eq(orderRequests.id, requestId), isInScope(actor, orderRequests), isSentToClient),
  );
  if (!request) throw requestNotFoundError();
  return answer(actor, actor.userId, request, lines);
}

async function answer(
  by: AnyActor,
  decidedBy: string | null,
  request: SentRequest,
  lines: ClientAnswer,
): Promise<ClientAnswerResult> {
  requireOpen(request);
  await requireEachLine(request.id, lines);
  const lineIds = lines.filter(({ approved }) => approved).map(({ id }) => id);
  const record = (tx: Executor) => recordAnswer(tx, request.id, lines);
  if (lineIds.length === 0) {
    await decline(by, decidedBy, request, record);
    return { state: 'declined' };
  }
  try {
    await orderRequest(by, request.id, { lineIds, decidedBy, record });
    return { state: 'ordered' };
  } catch (thrown) {
    if (!(thrown instanceof AppError) || passingCodes.includes(thrown.code)) throw thrown;
    await keepAnswer(by, request, lines, { record, refusal: thrown });
    return { state: 'kept' };
  }
}

/** The errors after which the client can send the answer again. The others wait for the agency. */
const passingCodes: readonly ErrorCode[] = ['internal', 'provider_failed', 'rate_limited', 'storage_full', 'unavailable'];

function requireOpen(request: SentRequest): void {
  const state = getLinkState(request);
  if (state === 'answered') throw answeredError();
  if (state === 'gone') throw goneError();
}

const answeredError = () => new AppError('conflict', 'This request was answered already.');
const goneError = () => new AppError('gone', 'This link has ended. Ask the sender for a new one.');

async function requireEachLine(requestId: string, lines: ClientAnswer): Promise<void> {
  const known = await db()
    .select({ id: orderRequestLines.id })
    .from(orderRequestLines)
    .where(eq(orderRequestLines.requestId, requestId));
  const answered = new Set(lines.map(({ id }) => id));
  if (lines.length > answered.size) throw new AppError('unprocessable', 'Answer each line once.');
  if (known.some(({ id }) => !answered.has(id))) throw new AppError('unprocessable', 'Approve or decline every line.');
  if (answered.size > known.length) throw new AppError('unprocessable', 'A line is not part of this request.');
}

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
  if (recorded.length === 0) throw answeredError();
  for (const { id, comment = '' } of lines)
    await tx.update(orderRequestLines).set({ comment }).where(isLine(requestId, id));
}

const isLine = (requestId: string, id: string) =>
  and(eq(orderRequestLines.id, id), eq(orderRequestLines.requestId, requestId));

/** Declines a request of which the client approves nothing. @throws as `recordAnswer` */
async function decline(
  by: AnyActor,
  decidedBy: string | null,
  request: SentRequest,
  record: (tx: Executor) => Promise<void>,
): Promise<void> {
  const { id, projectDomain } = request;
  await db().transaction(async (tx) => {
    await lockOpen(tx, id);
    await record(tx);
    await tx
      .update(orderRequests)
      .set({ state: 'declined', decidedBy, decidedAt: sql`now()` })
      .where(eq(orderRequests.id, id));
    await tx.update(orderRequestLines).set({ state: 'declined' }).where(eq(orderRequestLines.requestId, id));
    await recordAudit(tx, by, {
      action: 'request.declined',
      details: `The client declined a request for ${projectDomain}.`,
      entityType: 'order_request',
      entityId: id,
      before: { state: 'open' },
      after: { state: 'declined' },
    });
    await notifyRequester(tx, by, request, {
      kind: 'request.declined',
      heading: `The client declined an order for ${projectDomain}`,
      lines: [{ text: 'Nothing was ordered.' }],
    });
  });
}

/** Locks an open request. @throws AppError conflict */
async function lockOpen(tx: Executor, id: string): Promise<void> {
  const [locked] = await tx
    .select({ state: orderRequests.state })
    .from(orderRequests)
    .where(eq(orderRequests.id, id))
    .for('update');
  if (locked?.state !== 'open') throw answeredError();
}

/** Stores an answer that cannot be ordered now. The request stays open. @throws as `recordAnswer` */
async function keepAnswer(
  by: AnyActor,
  request: SentRequest,
  lines: ClientAnswer,
  { record, refusal }: { record: (tx: Executor) => Promise<void>; refusal: AppError },
): Promise<void> {
  const { id, projectDomain } = request;
  await db().transaction(async (tx) => {
    await lockOpen(tx, id);
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
      lines: [{ text: `${refusal.message} Please confirm the order, or decline it.` }],
    });
  });
}
