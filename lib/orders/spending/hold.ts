import { and, count, eq, gt, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { orderRequestLines, orderRequests, type RequestReason } from '@/db/schema/order-requests';
import type { AccountScope, AnyActor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { formatUsd } from '@/lib/money';
import { attachArticles } from '@/lib/orders/briefs/articles';
import { notifyApprovers } from '@/lib/orders/notices/notify-request';
import { recordAudit } from '@/lib/platform/audit/record';
import { describeReason } from './decide-spend';

/** How long a request waits for an answer, in days. */
const requestDays = 14;

/** The requests of a member in 24 hours: they cost nothing, and each one is mailed to those who may approve it. */
const maxPerDay = 200;

type Held = {
  project: { id: string; domain: string };
  /** The order, as in the body of POST /api/orders. */
  body: unknown;
  reasons: readonly RequestReason[];
  lines: readonly { siteId: number | null; chargedCents: number; taxCents: number }[];
  /** The articles that its briefs name, with the names of their fields. They are kept until the request ends. */
  articles: ReadonlyMap<string, string>;
};

/**
 * Keeps an order that is above a limit as a request, which waits for an approval, and notifies those who may give it.
 * Nothing is paid or reserved.
 * @returns the id of the request
 * @throws AppError not_found for an article that another account uploaded or that was removed; conflict for too many requests
 */
export async function holdOrder(
  tx: Executor,
  by: AnyActor,
  requester: AccountScope & { userId: string; name: string; email: string },
  { project, body, reasons, lines, articles }: Held,
): Promise<string> {
  const { accountId, userId: requestedBy } = requester;
  const totalCents = lines.reduce((sum, { chargedCents, taxCents }) => sum + chargedCents + taxCents, 0);
  const isRecent = gt(orderRequests.createdAt, sql`now() - interval '1 day'`);
  const isOwn = and(eq(orderRequests.accountId, accountId), eq(orderRequests.requestedBy, requestedBy));
  const [recent] = await tx.select({ total: count() }).from(orderRequests).where(and(isOwn, isRecent));
  if ((recent?.total ?? 0) >= maxPerDay)
    throw new AppError(
      'conflict',
      `You requested ${maxPerDay} orders in the last 24 hours. Wait until tomorrow, or order within your limits.`,
    );
  await attachArticles(tx, requester, articles);
  const request = { id: newId(), accountId, projectId: project.id, requestedBy, totalCents };
  await tx.insert(orderRequests).values({
    ...request,
    body,
    reasons: [...reasons],
    expiresAt: sql`now() + make_interval(days => ${requestDays})`,
  });
  await tx.insert(orderRequestLines).values(
    lines.map(({ siteId, chargedCents, taxCents }, position) => ({
      ...{ id: newId(), requestId: request.id, siteId, position, cents: chargedCents, taxCents },
    })),
  );
  await recordAudit(tx, by, {
    action: 'request.opened',
    details: `An order of ${formatUsd(totalCents)} for ${project.domain} waits for an approval.`,
    entityType: 'order_request',
    entityId: request.id,
    after: { projectId: project.id, lines: lines.length, reasons: reasons.map(({ code }) => code) },
  });
  await notifyApprovers(
    tx,
    by,
    { ...request, projectDomain: project.domain },
    {
      kind: 'request.opened',
      heading: `An order for ${project.domain} waits for your approval`,
      lines: [
        { text: `${requester.name || requester.email} requested it.` },
        ...reasons.map((reason) => ({ text: describeReason(reason) })),
      ],
    },
  );
  return request.id;
}
