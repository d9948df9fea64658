import { and, eq, isNull, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { linkWatches } from '@/db/schema/links';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { checkPage } from '@/lib/links/check-page';
import { describeReason } from '@/lib/links/describe-reason';
import type { Judgement } from '@/lib/links/judge-page';
import { getRobotsFiles } from '@/lib/links/robots';
import { publishSandboxPage } from '@/lib/links/sandbox-publisher';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { findingOf } from './check';
import type { Change } from './contract';
import { type LockedChange, lockChange, moveChange, requireChangeState } from './move';
import { requireChangeable, wantedAfter } from './require-link';

type Delivery = { orderId: number; changeId: string; version?: number | undefined; reason: string };

/**
 * Delivers a change on behalf of the seller: the page has it. The page is checked first, outside of a transaction.
 * @throws AppError not_found; conflict in another state or for a stale version; unprocessable for a page that does not
 * exist, and without a reason for one on which the check does not find the link as asked; rate_limited
 */
export async function deliverChange(actor: Actor, { reason, ...request }: Delivery): Promise<Change> {
  const own = { sellerId: actor.userId };
  const { change, page } = await db().transaction(async (tx) => {
    const locked = await lockChange(tx, request, own);
    requireChangeState(locked, 'delivered');
    return { change: locked.change, page: await requireChangeable(tx, locked) };
  });
  await consumeLimit('linkCheck', { account: actor.userId, address: actor.ip });
  const wanted = wantedAfter(change, page);
  await publishSandboxPage({ pageUrl: page.pageUrl, ...wanted }, { replaces: true });
  const judgement = await checkPage(page.pageUrl, wanted, { robots: getRobotsFiles() });
  return db().transaction(async (tx) => {
    // A step during the check has changed the version.
    const locked = await lockChange(tx, { ...request, version: change.version }, own);
    return recordChangeDelivery(tx, actor, locked, { pageUrl: page.pageUrl, judgement, reason });
  });
}

/**
 * Delivers a change whose page was checked.
 * @throws AppError as `deliverChange`
 */
export async function recordChangeDelivery(
  tx: Executor,
  actor: Actor,
  locked: LockedChange,
  { pageUrl, judgement, reason }: { pageUrl: string; judgement: Judgement; reason: string },
): Promise<Change> {
  requireChangeState(locked, 'delivered');
  requireDeliverable(judgement, reason);
  const { order, now } = locked;
  if ((await requireChangeable(tx, locked)).pageUrl !== pageUrl)
    throw new AppError('conflict', `The page of order #${order.id} changed during the check. Try again.`);
  const set = { deliveredAt: now, ...findingOf(judgement, now) };
  const after = await moveChange(tx, actor, locked, { action: 'delivered', role: 'seller', note: reason, set });
  await checkSoon(tx, order.id);
  return after.change;
}

/** Requires a page on which the change was found, or a reason. @throws AppError unprocessable */
function requireDeliverable({ verdict, evidence: { reasons } }: Judgement, reason: string): void {
  if (verdict === 'ok') return;
  const found = reasons.map(describeReason).join(' ');
  const isGone = reasons.some((one) => one === 'page_missing' || one === 'dns' || one === 'connect');
  if (isGone) throw new AppError('unprocessable', `The page could not be opened: ${found} Publish the change first.`);
  if (reason !== '') return;
  const message = `The check does not find the link as asked: ${found} Change the page, or give a reason that the buyer reads.`;
  throw new AppError('unprocessable', message, { fields: { reason: message } });
}

/** Lets the schedule check the link at once, and from now on with both briefs. */
async function checkSoon(tx: Executor, orderId: number): Promise<void> {
  await tx
    .update(linkWatches)
    .set({ nextCheckAt: sql`now()`, version: sql`${linkWatches.version} + 1` })
    .where(and(eq(linkWatches.orderId, orderId), isNull(linkWatches.endedAt)));
}
