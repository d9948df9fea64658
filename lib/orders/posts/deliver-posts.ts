import { and, eq, isNull, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { placements } from '@/db/schema/placements';
import { users } from '@/db/schema/users';
import { orderPosts } from '@/db/schema/wordpress';
import { personalAccount } from '@/lib/access/account-roles';
import { type Actor, systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { AppError, nullIfNotFound } from '@/lib/errors';
import { formatDue, notice } from '@/lib/orders/notices/notice-texts';
import { notifySeller } from '@/lib/orders/notices/notify';
import { dayMs } from '@/lib/platform/durations';
import { getBackoffSeconds, isDue, processLeased, secondsFromNow } from '@/lib/platform/leases';
import { log } from '@/lib/platform/log/log';
import { WordPressError } from '@/lib/sites/wordpress/client';
import { getOwnConnection, withConnection } from '@/lib/sites/wordpress/connection';
import { deliverPost } from './deliver-post';
import { describePost, type OrderPost } from './publish';
import { getPost } from './requests';

/** Each waits for a foreign server most of its time. */
const workers = 4;
const runMs = 50_000;
const leaseSeconds = 180;
/** The waits between two looks at a post that is not live. */
const backoff = { firstSeconds: 5 * 60, maxSeconds: 6 * 60 * 60 };
/** A draft that was not published until then is left to its seller. */
const giveUpMs = 60 * dayMs;

type Counts = { delivered: number; waiting: number; failed: number };

/**
 * Asks WordPress about scheduled posts whose time has come and about drafts, and delivers the orders of those that are
 * live on behalf of their sellers. Several instances may run concurrently: each leases other posts.
 */
export async function deliverPosts(): Promise<Counts> {
  const counts: Counts = { delivered: 0, waiting: 0, failed: 0 };
  await processLeased({ workers, endsAt: Date.now() + runMs }, leaseDue, async (post) => {
    try {
      counts[(await deliverIfLive(post)) ? 'delivered' : 'waiting'] += 1;
    } catch (thrown) {
      if (!(thrown instanceof AppError)) counts.failed += 1;
      log().warn({ order: post.orderId, err: thrown }, 'A post was not delivered.');
      const lastError = thrown instanceof AppError ? thrown.message : post.lastError;
      const isGone = thrown instanceof WordPressError && thrown.failure === 'missing';
      await db()
        .update(orderPosts)
        .set({ lastError, checkAt: isGone ? null : nextLook(post) })
        .where(eq(orderPosts.orderId, post.orderId));
    }
  });
  return counts;
}

async function leaseDue(): Promise<OrderPost | undefined> {
  const { orderId, checkAt } = orderPosts;
  const [due] = await db()
    .update(orderPosts)
    .set({ checkAt: secondsFromNow(leaseSeconds), retries: sql`${orderPosts.retries} + 1` })
    .where(isDue({ id: orderId, dueAt: checkAt, where: undefined, limit: 1 }))
    .returning();
  return due;
}

const nextLook = ({ startedAt, retries }: OrderPost) =>
  Date.now() - startedAt.getTime() > giveUpMs ? null : secondsFromNow(getBackoffSeconds(retries - 1, backoff));

async function deliverIfLive(post: OrderPost): Promise<boolean> {
  const { orderId, siteId, postId } = post;
  const seller = await findSeller(orderId);
  const own = seller && (await nullIfNotFound(getOwnConnection(seller.userId, siteId)));
  if (!seller || !own || postId === null) return stopLooking(orderId);
  const { connection, isProved } = own;
  if (!isProved || connection?.state !== 'connected' || connection.host !== post.host) {
    // Goes on once the seller connects the site or proves the domain again.
    await db()
      .update(orderPosts)
      .set({ checkAt: nextLook(post) })
      .where(eq(orderPosts.orderId, orderId));
    return false;
  }
  const seen = describePost(await withConnection(connection, (access) => getPost(access, postId)));
  const isWaiting = seen.state === 'draft' || (seen.state === 'scheduled' && seen.checkAt <= new Date());
  await db()
    .update(orderPosts)
    .set({ ...seen, ...(isWaiting && { checkAt: nextLook(post) }) })
    .where(eq(orderPosts.orderId, orderId));
  if (seen.state !== 'live') return false;
  const { isDelivered, finding } = await deliverPost(seller, orderId, seen.url);
  if (!isDelivered) await notifyOfFinding(orderId, finding);
  return isDelivered;
}

async function stopLooking(orderId: number): Promise<false> {
  await db().update(orderPosts).set({ checkAt: null }).where(eq(orderPosts.orderId, orderId));
  return false;
}

/**
 * Finds the seller of an order that waits for its delivery, as the one who acts: the post carries out the seller's
 * order.
 */
async function findSeller(orderId: number): Promise<Actor | null> {
  const [seller] = await db()
    .select({ userId: users.id, email: users.email, name: users.name, role: users.role, status: users.status })
    .from(placements)
    .innerJoin(orders, eq(orders.id, placements.orderId))
    .innerJoin(users, eq(users.id, placements.sellerId))
    .where(
      and(
        eq(placements.orderId, orderId),
        sql`${placements.state} in ('accepted', 'in_revision')`,
        isNull(orders.deletedAt),
        isNull(users.deletedAt),
        eq(users.status, 'Active'),
      ),
    );
  if (!seller) return null;
  const none = { sessionId: '', ip: '', requestId: '', hasRecentAuthentication: false, twoStepDueAt: null };
  const account = { ...personalAccount(seller.userId), memberOf: [] };
  return { ...seller, ...account, ...none, permissions: [], source: 'job' };
}

/** Notifies the seller that a post is live, but its order was not delivered. */
async function notifyOfFinding(orderId: number, finding: string): Promise<void> {
  await db().transaction(async (tx) => {
    const [found] = await tx
      .select({ order: orders, placement: placements })
      .from(placements)
      .innerJoin(orders, eq(orders.id, placements.orderId))
      .where(eq(placements.orderId, orderId));
    if (!found) return;
    const heading = `The post of order #${orderId} is live, but not delivered`;
    await notifySeller(
      tx,
      systemActor(systemActors.wordpress, 'job'),
      found,
      notice('placement.not_delivered', 'seller-order', heading, [
        finding,
        `Repair the post and deliver its address by ${formatDue(found.placement.deliveryDueAt)}.`,
      ]),
    );
  });
}
