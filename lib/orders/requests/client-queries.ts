import { and, eq, isNull, type SQL } from 'drizzle-orm';
import { countRows } from '@/db/count-up-to';
import { db } from '@/db/client';
import { readIdPage } from '@/db/read-id-page';
import { orderRequests } from '@/db/schema/order-requests';
import { projects } from '@/db/schema/projects';
import { isInScope } from '@/lib/access/account-roles';
import type { AccountScope, Actor } from '@/lib/access/actor';
import type { CursorPage } from '@/lib/id-cursor';
import type { ClientRequest } from './client-contract';
import { getLinkState, isSentToClient, readForClient, type SentRequest, selectSent } from './client-read';
import { type RequestsQuery, type RequestView, requestNotFoundError } from './contract';

/** The condition that a member with the role Client sees a request: it was sent to the client. */
const isShownTo = (actor: AccountScope, { state, projectId }: Partial<RequestsQuery> = {}): SQL | undefined =>
  and(
    isInScope(actor, orderRequests),
    isSentToClient,
    state === undefined ? undefined : eq(orderRequests.state, state),
    projectId === undefined ? undefined : eq(orderRequests.projectId, projectId),
  );

/** Lists a page of the requests that were sent to the client, as the client sees them, newest first. */
export async function listRequestsForClient(
  actor: Actor,
  query: RequestsQuery,
): Promise<CursorPage<RequestView> & { total: number; isCapped: boolean }> {
  const shown = isShownTo(actor, query);
  const [page, counted] = await Promise.all([
    readIdPage(orderRequests.id, query, ({ where, orderBy, limit, offset }) =>
      selectSent(db()).where(and(shown, isNull(projects.deletedAt), where)).orderBy(orderBy).limit(limit).offset(offset),
    ),
    countRows(orderRequests, shown),
  ]);
  return { ...page, rows: await toViews(actor, page.rows), ...counted };
}

/** Returns a request that was sent to the client, as the client sees it. @throws AppError not_found */
export async function getRequestForClient(actor: Actor, id: string): Promise<RequestView> {
  const [view] = await toViews(actor, [await findSent(actor, id)]);
  if (!view) throw requestNotFoundError();
  return view;
}

/** Returns what the screen of a request shows to a member with the role Client. @throws AppError not_found */
export async function getClientRequest(
  actor: AccountScope,
  id: string,
): Promise<{ request: ClientRequest; isOpen: boolean; agency: string }> {
  const sent = await findSent(actor, id);
  const [request] = await readForClient([sent]);
  if (!request) throw requestNotFoundError();
  return { request, isOpen: getLinkState(sent) === 'open', agency: sent.accountName };
}

async function findSent(actor: AccountScope, id: string): Promise<SentRequest> {
  const [sent] = await selectSent(db()).where(and(eq(orderRequests.id, id), isShownTo(actor)));
  if (!sent) throw requestNotFoundError();
  return sent;
}

async function toViews(actor: Actor, sent: readonly SentRequest[]): Promise<RequestView[]> {
  const shown = await readForClient(sent);
  return shown.map((request, index) => toView(actor, sent[index], request));
}

/** Members are named as the account: the client learns nothing of who may spend what. */
function toView(actor: Actor, sent: SentRequest | undefined, request: ClientRequest): RequestView {
  if (!sent) throw requestNotFoundError();
  const agency = { id: sent.accountId, name: sent.accountName };
  const decider = sent.decidedBy === actor.userId ? { id: actor.userId, name: actor.name } : agency;
  return {
    ...{ id: request.id, state: request.state, projectId: sent.projectId, projectDomain: request.projectDomain },
    requestedBy: agency,
    reasons: [],
    lines: request.lines.map(({ priceCents, site: _, ...line }) => ({
      ...line,
      cents: priceCents,
      taxCents: null,
      orderId: null,
    })),
    totalCents: request.totalCents,
    note: '',
    decidedBy: sent.decidedBy === null ? null : decider,
    decidedAt: sent.decidedAt?.toISOString() ?? null,
    isAnsweredByClient: request.answeredAt !== null,
    mayAnswer: getLinkState(sent) === 'open',
    link: null,
    createdAt: sent.createdAt.toISOString(),
    expiresAt: request.endsAt.toISOString(),
  };
}
