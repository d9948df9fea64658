import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { cartItems, carts } from '@/db/schema/carts';
import { type OrderRequestState, orderRequestLines, orderRequests } from '@/db/schema/order-requests';
import { projects } from '@/db/schema/projects';
import type { AnyActor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { releaseArticle } from '@/lib/orders/briefs/articles';
import { recordAudit } from '@/lib/platform/audit/record';
import { cutText } from '@/lib/platform/cut-text';
import { requestNotFoundError } from './contract';
import { parseStoredOrder } from './queries';

/** A request under lock, with its project. */
type LockedRequest = Awaited<ReturnType<typeof lockRequest>>;

/** Locks a request. @throws AppError not_found */
export async function lockRequest(tx: Executor, id: string) {
  const [row] = await tx
    .select({
      ...getTableColumns(orderRequests),
      projectDomain: projects.domain,
      isProjectDeleted: sql<boolean>`${projects.deletedAt} is not null`,
    })
    .from(orderRequests)
    .innerJoin(projects, eq(projects.id, orderRequests.projectId))
    .where(eq(orderRequests.id, id))
    .for('no key update', { of: orderRequests });
  if (!row) throw requestNotFoundError();
  return row;
}

/** Locks a request that can be answered. @throws AppError not_found; conflict for one that is not open */
export async function lockOpenRequest(tx: Executor, id: string): Promise<LockedRequest> {
  const request = await lockRequest(tx, id);
  if (request.state === 'open' && request.expiresAt > new Date()) return request;
  const state = request.state === 'open' ? 'expired' : request.state;
  throw new AppError('conflict', `This request is ${state}: only an open one can be answered.`);
}

/**
 * Ends a request without an order: its lines are declined, its articles are no longer kept, and what it took from a cart
 * returns to the cart of the project.
 * @param decidedBy the member who answered; null at the end of its time, and for the client
 */
export async function closeRequest(
  tx: Executor,
  actor: AnyActor,
  request: LockedRequest,
  {
    state,
    decidedBy,
    note = '',
  }: { state: Extract<OrderRequestState, 'declined' | 'expired'>; decidedBy: string | null; note?: string },
): Promise<void> {
  await tx
    .update(orderRequests)
    .set({ state, note, decidedBy, decidedAt: sql`now()`, version: request.version + 1, updatedAt: sql`now()` })
    .where(eq(orderRequests.id, request.id));
  await tx.update(orderRequestLines).set({ state: 'declined' }).where(eq(orderRequestLines.requestId, request.id));
  for (const articleId of listArticleIds(request)) await releaseArticle(tx, articleId);
  if (request.cartItems) await returnToCart(tx, request, request.cartItems);
  await recordAudit(tx, actor, {
    action: `request.${state}`,
    details: `The requested order for ${request.projectDomain} ${state === 'declined' ? 'was declined' : describeEnd(request)}.`,
    entityType: 'order_request',
    entityId: request.id,
    before: { state: request.state },
    after: { state },
  });
}

/** Says why a request ended without an answer. */
export const describeEnd = ({ isProjectDeleted }: LockedRequest): string =>
  isProjectDeleted ? 'ended with its project, which was deleted' : 'was not answered in time';

/** Tells the requester what a request without an order led to. */
export const describeClosed = ({ cartItems: items }: LockedRequest): string =>
  items ? 'Nothing was ordered. The sites are in the cart again.' : 'Nothing was ordered.';

/** Adds items to the cart of a project. A site that was added since keeps its newer item. */
async function returnToCart(
  tx: Executor,
  { accountId, projectId, projectDomain }: LockedRequest,
  items: readonly (typeof cartItems.$inferSelect)[],
): Promise<void> {
  const [cart] = await tx
    .insert(carts)
    .values({ id: newId(), accountId, projectId, name: cutText(projectDomain, 100) })
    .onConflictDoUpdate({ target: [carts.accountId, carts.projectId], set: { version: sql`${carts.version} + 1` } })
    .returning({ id: carts.id });
  if (!cart) throw new Error('The cart was not opened.');
  await tx
    .insert(cartItems)
    .values(items.map((item) => ({ ...item, cartId: cart.id })))
    .onConflictDoNothing();
}

/** Lists the articles that the briefs of a request name. */
export function listArticleIds(request: Pick<LockedRequest, 'body'>): string[] {
  const { brief, briefs = {} } = parseStoredOrder(request);
  return [...new Set([brief, ...Object.values(briefs)].flatMap((one) => one?.articleId ?? []))].sort();
}

/** Sets the lines of a request that are ordered, and declines the others. */
export async function answerLines(tx: Executor, requestId: string, approvedIds: readonly string[]): Promise<void> {
  await tx.update(orderRequestLines).set({ state: 'declined' }).where(eq(orderRequestLines.requestId, requestId));
  await tx
    .update(orderRequestLines)
    .set({ state: 'approved' })
    .where(and(eq(orderRequestLines.requestId, requestId), inArray(orderRequestLines.id, [...approvedIds])));
}
