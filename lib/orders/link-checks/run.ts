import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { type CheckCause, isFirstCheck, type linkChecks, linkHosts, linkWatches } from '@/db/schema/links';
import { orders } from '@/db/schema/orders';
import { placements } from '@/db/schema/placements';
import { seesRow } from '@/lib/access/account-roles';
import type { AccountScope, Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { openPage } from '@/lib/links/check-page';
import { getRobotsFiles } from '@/lib/links/robots';
import { publishSandboxPage } from '@/lib/links/sandbox-publisher';
import { findPendingChange } from '@/lib/orders/placements/changes/check';
import { wantedAfter } from '@/lib/orders/placements/changes/require-link';
import { orderNotFoundError } from '@/lib/orders/placements/lock';
import { getBackoffSeconds, isDue, processLeased, secondsFromNow } from '@/lib/platform/leases';
import { log } from '@/lib/platform/log/log';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { getPlacementRules } from '@/lib/settings/placement-rules';
import { recordCheck } from './record';

type Watch = typeof linkWatches.$inferSelect;

/** Checks at the same time on an instance. Each waits for a foreign server most of its time. */
const workers = 16;
/** The run ends before its next turn begins. */
const runMs = 50_000;
const leaseSeconds = 120;
const backoff = { firstSeconds: 60, maxSeconds: 6 * 60 * 60 };

type Counts = { checked: number; postponed: number; failed: number };

/**
 * Checks the links that are due, several at the same time, and applies the results. Several instances may run
 * concurrently: each leases other rows, and all share the number of requests to a host in an hour.
 */
export async function runLinkChecks(): Promise<Counts> {
  const counts: Counts = { checked: 0, postponed: 0, failed: 0 };
  await processLeased({ workers, endsAt: Date.now() + runMs }, leaseDue, async (due) => {
    counts[await processDue(due)] += 1;
  });
  return counts;
}

/**
 * Leases the watch that is due longest, deliveries first. Its next turn is postponed first, so that a crash does not lose
 * it.
 */
const leaseDue = async (): Promise<Watch | undefined> => (await leaseNext(isFirstCheck)) ?? leaseNext(undefined);

async function leaseNext(where: SQL | undefined): Promise<Watch | undefined> {
  const { orderId, nextCheckAt, retries } = linkWatches;
  const [due] = await db()
    .update(linkWatches)
    .set({ nextCheckAt: secondsFromNow(leaseSeconds), retries: sql`${retries} + 1` })
    .where(isDue({ id: orderId, dueAt: nextCheckAt, where, limit: 1 }))
    .returning();
  return due;
}

async function processDue(watch: Watch): Promise<keyof Counts> {
  try {
    if (!(await claimRequest(watch))) return 'postponed';
    await checkLink(watch, null);
    return 'checked';
  } catch (thrown) {
    log().warn({ order: watch.orderId, retries: watch.retries, err: thrown }, 'A link check failed.');
    await scheduleRetry(watch);
    return 'failed';
  }
}

/**
 * Checks the link of a watch and records the result; of an open change that may be online, also its link. The page is
 * fetched outside of the transaction.
 * @param actorId the user who requested the check; null for the schedule
 */
async function checkLink(watch: Watch, actorId: string | null) {
  const { siteUrl: siteDomain, pageUrl, targetUrl, rel, anchor } = watch;
  if (watch.nextCause === 'delivery') await publishSandboxPage({ pageUrl, targetUrl, anchor, rel });
  const judge = await openPage(pageUrl, { robots: getRobotsFiles() });
  const judgement = await judge({ siteDomain, targetUrl, rel, anchor });
  const change = await findPendingChange(watch.orderId);
  const wanted = change && wantedAfter(change, watch);
  const changed = wanted && { targetUrl: wanted.targetUrl, judgement: await judge(wanted) };
  return db().transaction((tx) => recordCheck(tx, { watch, judgement, changed, actorId }));
}

/**
 * Claims one of the requests to a host in this hour. When none is left, the check is booked for the first hour after it
 * that has room, so that a host with many links costs two claims for each check, and not one for each link in every hour.
 * @returns whether the page may be requested now
 */
async function claimRequest({ orderId, host, nextCause }: Watch): Promise<boolean> {
  const { checksPerHostHour } = await getPlacementRules();
  const limit = sql`${checksPerHostHour}::int`;
  const hour = sql`date_trunc('hour', now())`;
  const isNewHour = sql`${linkHosts.hour} < ${hour}`;
  const isFull = sql`not ${isNewHour} and ${linkHosts.count} >= ${limit}`;
  // A delivery is not booked, because it comes first in every hour.
  const isBooked = nextCause !== 'delivery';
  // What was booked for the hours that have passed is due.
  const hoursPassed = sql`(extract(epoch from ${hour} - ${linkHosts.hour}) / 3600)::int`;
  const [claimed] = await db()
    .insert(linkHosts)
    .values({ host, hour, count: 1 })
    .onConflictDoUpdate({
      target: linkHosts.host,
      set: {
        hour,
        // One above the limit when none was left.
        count: sql`case when ${isNewHour} then 1 else least(${linkHosts.count}, ${limit}) + 1 end`,
        booked: sql`case when ${isFull} then ${linkHosts.booked} + ${isBooked ? 1 : 0}
          else greatest(${linkHosts.booked} - ${hoursPassed} * ${limit}, 0) end`,
      },
    })
    .returning({ count: linkHosts.count, booked: linkHosts.booked });
  if (!claimed || claimed.count <= checksPerHostHour) return true;
  const hours = isBooked ? Math.ceil(claimed.booked / checksPerHostHour) : 1;
  // Spread over the hour.
  const seconds = hours * 3_600 + ((orderId * 7919) % 3_600);
  await db()
    .update(linkWatches)
    .set({ nextCheckAt: sql`${hour} + make_interval(secs => ${seconds})`, retries: 0 })
    .where(eq(linkWatches.orderId, orderId));
  return false;
}

async function scheduleRetry({ orderId, retries }: Watch): Promise<void> {
  await db()
    .update(linkWatches)
    .set({ nextCheckAt: secondsFromNow(getBackoffSeconds(retries - 1, backoff)) })
    // A check since then has set the next turn.
    .where(and(eq(linkWatches.orderId, orderId), eq(linkWatches.retries, retries)));
}

type Owner = { buyer: AccountScope } | { sellerId: string } | 'staff';

/**
 * Checks the link of an order at once, and does what follows from the result, as for a check of the schedule.
 * @param owner finds only an order of this buyer or a placement of this seller
 * @throws AppError not_found, also for an order of another user; conflict for an order whose link is not checked;
 * rate_limited
 */
export async function checkLinkNow(
  actor: Actor,
  orderId: number,
  owner: Owner,
  cause: Extract<CheckCause, 'buyer' | 'repair' | 'staff'>,
): Promise<typeof linkChecks.$inferSelect> {
  const [{ watch } = { watch: undefined }] = await db()
    .select({ watch: linkWatches })
    .from(linkWatches)
    .innerJoin(orders, eq(orders.id, linkWatches.orderId))
    .where(and(eq(orders.id, orderId), isNull(orders.deletedAt)));
  if (!watch || !isOwn({ ...watch, accountId: watch.buyerId }, owner)) throw await explainMissing(orderId, owner);
  if (watch.endedAt !== null)
    throw new AppError(
      'conflict',
      `The link of order #${orderId} is no longer checked: the order or its guarantee has ended.`,
    );
  await consumeLimit('linkCheck', { account: actor.userId, address: actor.ip });
  const check = await checkLink({ ...watch, nextCause: cause }, actor.userId);
  if (!check) throw new AppError('conflict', `The page of order #${orderId} changed during the check. Try again.`);
  return check;
}

const isOwn = (
  order: { accountId: string; projectId: string | null; sellerId: string | null },
  owner: Owner,
): boolean => owner === 'staff' || ('buyer' in owner ? seesRow(owner.buyer, order) : order.sellerId === owner.sellerId);

/** Explains why an order has no check: another user's order does not exist for the actor. */
async function explainMissing(orderId: number, owner: Owner): Promise<AppError> {
  const [row] = await db()
    .select({
      accountId: orders.accountId,
      projectId: orders.projectId,
      sellerId: placements.sellerId,
      deletedAt: orders.deletedAt,
    })
    .from(orders)
    .leftJoin(placements, eq(placements.orderId, orders.id))
    .where(eq(orders.id, orderId));
  if (row?.deletedAt !== null || !isOwn(row, owner)) return orderNotFoundError(orderId);
  return new AppError('conflict', `Order #${orderId} has no link to check yet.`);
}
