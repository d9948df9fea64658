import { eq, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { orderRequestLines, orderRequests } from '@/db/schema/order-requests';
import type { orders } from '@/db/schema/orders';
import { users } from '@/db/schema/users';
import { mayApprove } from '@/lib/access/account-roles';
import type { Actor, AnyActor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { formatUsd } from '@/lib/money';
import { releaseArticle } from '@/lib/orders/briefs/articles';
import { notifyRequester } from '@/lib/orders/notices/notify-request';
import { placeOrder } from '@/lib/orders/order/create';
import type { OrderPlan } from '@/lib/orders/order/plan';
import type { CreateOrderInput } from '@/lib/orders/order/schemas';
import { withTopUpUrl } from '@/lib/orders/shortage';
import { recordAudit } from '@/lib/platform/audit/record';
import { answerLines, listArticleIds, lockOpenRequest } from './close';
import { type ApproveRequestInput, type RequestView, requestNotFoundError } from './contract';
import { findRequest, getRequest, parseStoredOrder } from './queries';

type Order = typeof orders.$inferSelect;
type Line = typeof orderRequestLines.$inferSelect;

/**
 * Approves a request: orders the selected lines at the current prices for the requester, and declines the others. It can
 * be approved also when the requester left the account. Of two approvals at once, one orders.
 * @throws AppError not_found; forbidden for a member who may not approve it; invalid_input for a line of another request;
 * conflict for a request that is not open, and with the new total when a price differs from the one shown; insufficient_funds;
 * and those of `createOrder`. Nothing is ordered then, and the request stays open.
 */
export async function approveRequest(actor: Actor, id: string, input: ApproveRequestInput): Promise<RequestView> {
  const request = await findRequest(actor, id);
  if (!mayApprove(actor, request)) {
    const isOwn = request.requestedBy === actor.userId && actor.accountRole !== 'buyer';
    const who = isOwn ? 'You requested this order yourself' : 'Your role in this account does not approve requests';
    throw new AppError('forbidden', `${who}. Ask an owner${isOwn ? ' or another manager' : ' or a manager'}.`);
  }
  await withTopUpUrl(actor, () => orderRequest(actor, id, { ...input, decidedBy: actor.userId }));
  return getRequest(actor, id);
}

type Answer = ApproveRequestInput & {
  /** The member who answers; null for the client behind the link. */
  decidedBy: string | null;
  /** Called in the transaction of the orders before they are paid; throws to undo them. */
  record?: (tx: Executor) => Promise<void>;
};

/**
 * Orders the selected lines of an open request and declines the others, without checking who may.
 * @param actor of the audit log: the approver, or a system actor for the client behind the link
 * @throws InsufficientFunds, and as `approveRequest`, except forbidden and insufficient_funds
 */
export async function orderRequest(actor: AnyActor, id: string, answer: Answer): Promise<void> {
  const { request, lines, requester } = await readRequest(id);
  const selected = selectLines(lines, answer.lineIds);
  const shown = selected.reduce((sum, { cents, taxCents }) => sum + cents + taxCents, 0);
  const { shownTotalCents = shown } = answer;
  const input = toOrder(parseStoredOrder(request), selected, lines);
  let changed: OrderPlan | undefined;
  const requireSamePrices = (plan: OrderPlan) => {
    const isTotalSame = plan.totalCents === shownTotalCents;
    if (isTotalSame && selected.every((line) => hasPriceOf(line, plan))) return;
    changed = plan;
    const change = isTotalSame
      ? 'The prices of the lines changed.'
      : `The price changed: the total is now ${formatUsd(plan.totalCents)}, not ${formatUsd(shownTotalCents)}.`;
    throw new AppError('conflict', `${change} Nothing was ordered. Review the request and confirm it.`);
  };
  const record = async (tx: Executor, checkoutId: string, created: readonly Order[]) => {
    await answerLines(
      tx,
      id,
      selected.map((line) => line.id),
    );
    await tx
      .update(orderRequests)
      .set({
        ...{ state: 'approved', checkoutId, decidedBy: answer.decidedBy },
        totalCents: shownTotalCents,
        ...{ decidedAt: sql`now()`, version: sql`${orderRequests.version} + 1`, updatedAt: sql`now()` },
      })
      .where(eq(orderRequests.id, id));
    await answer.record?.(tx);
    await recordAnswer(tx, actor, { request, ordered: created, isPart: selected.length < lines.length });
  };
  try {
    const buyer = { ...requester, accountId: request.accountId, projectIds: null };
    await placeOrder(actor, buyer, input, null, {
      review: requireSamePrices,
      prepare: (tx) => lockOpenRequest(tx, id),
      approval: { record },
    });
  } catch (thrown) {
    if (changed) await keepPrices(id, selected, changed);
    throw thrown;
  }
}

/** Reads an order that waits for an approval, and who requested it. @throws AppError not_found */
async function readRequest(id: string) {
  const [row] = await db()
    .select({ request: orderRequests, requester: { userId: users.id, name: users.name, email: users.email } })
    .from(orderRequests)
    .innerJoin(users, eq(users.id, orderRequests.requestedBy))
    .where(eq(orderRequests.id, id));
  if (!row) throw requestNotFoundError();
  const lines = await db()
    .select()
    .from(orderRequestLines)
    .where(eq(orderRequestLines.requestId, id))
    .orderBy(orderRequestLines.position);
  return { ...row, lines };
}

/** Selects the lines to order; by default all, without those that the client struck in an answer that is kept. */
function selectLines(lines: readonly Line[], lineIds: readonly string[] | undefined): readonly Line[] {
  if (lineIds === undefined) return lines.filter(({ state }) => state !== 'declined');
  const unknown = lineIds.filter((lineId) => lines.every(({ id }) => id !== lineId));
  if (unknown.length > 0) {
    const message = 'Select lines of this request.';
    throw new AppError('invalid_input', message, { fields: { lineIds: message } });
  }
  return lines.filter(({ id }) => lineIds.includes(id));
}

/** Returns the order of the selected lines. A day of publication that passed since asks for nothing any more. */
function toOrder(stored: CreateOrderInput, selected: readonly Line[], all: readonly Line[]): CreateOrderInput {
  const today = new Date().toISOString().slice(0, 10);
  const withoutPast = <Brief extends { notBefore?: string | null | undefined }>(brief: Brief): Brief =>
    brief.notBefore && brief.notBefore < today ? { ...brief, notBefore: null } : brief;
  const { brief, briefs = {} } = stored;
  const kept = new Set(selected.map(({ siteId }) => String(siteId)));
  const order = {
    ...stored,
    ...(brief && { brief: withoutPast(brief) }),
    briefs: Object.fromEntries(
      Object.entries(briefs).flatMap(([siteId, one]) => (kept.has(siteId) ? [[siteId, withoutPast(one)]] : [])),
    ),
  };
  if (order.kind === 'package' || selected.length === all.length) return order;
  return { ...order, siteIds: selected.flatMap(({ siteId }) => siteId ?? []) };
}

const findItem = ({ siteId }: Line, { items }: OrderPlan) => items.find((item) => item.siteId === siteId);

/** Checks whether a line costs what was shown last. */
function hasPriceOf(line: Line, plan: OrderPlan): boolean {
  const item = findItem(line, plan);
  return item?.chargedCents === line.cents && item.taxCents === line.taxCents;
}

/** Keeps the prices that an answer met, which the next answer sees. */
async function keepPrices(id: string, selected: readonly Line[], plan: OrderPlan): Promise<void> {
  await db().transaction(async (tx) => {
    await lockOpenRequest(tx, id);
    for (const line of selected) {
      const item = findItem(line, plan);
      if (item)
        await tx
          .update(orderRequestLines)
          .set({ cents: item.chargedCents, taxCents: item.taxCents })
          .where(eq(orderRequestLines.id, line.id));
    }
    const lines = tx
      .select({ sum: sql`sum(${orderRequestLines.cents} + ${orderRequestLines.taxCents})` })
      .from(orderRequestLines)
      .where(eq(orderRequestLines.requestId, id));
    await tx
      .update(orderRequests)
      .set({ totalCents: sql`(${lines})`, updatedAt: sql`now()` })
      .where(eq(orderRequests.id, id));
  });
}

async function recordAnswer(
  tx: Executor,
  by: AnyActor,
  {
    request,
    ordered,
    isPart,
  }: { request: typeof orderRequests.$inferSelect; ordered: readonly Order[]; isPart: boolean },
): Promise<void> {
  const [first] = ordered;
  const totalCents = ordered.reduce((sum, { chargedCents, taxCents }) => sum + chargedCents + taxCents, 0);
  const projectDomain = first?.projectDomain ?? '';
  const numbers = ordered.map((order) => `#${order.id}`).join(', ');
  await recordAudit(tx, by, {
    action: 'request.approved',
    details: `The requested order for ${projectDomain} was approved: ${formatUsd(totalCents)}, order ${numbers}.`,
    entityType: 'order_request',
    entityId: request.id,
    before: { state: 'open' },
    after: { state: 'approved', orders: ordered.map(({ id }) => id) },
  });
  // Those of declined lines; an article that a brief of the orders names stays.
  for (const articleId of listArticleIds(request)) await releaseArticle(tx, articleId);
  await notifyRequester(
    tx,
    by,
    { ...request, projectDomain, totalCents },
    {
      kind: 'request.approved',
      heading: `Your order for ${projectDomain} was approved`,
      lines: [
        { text: isPart ? `A part was ordered: ${numbers}. The rest was declined.` : `It was ordered: ${numbers}.` },
      ],
    },
  );
}
