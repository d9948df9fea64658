import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { type linkChecks, linkWatches } from '@/db/schema/links';
import { orderPosts } from '@/db/schema/wordpress';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { isSamePage } from '@/lib/links/compare-urls';
import { isOver } from '@/lib/orders/contract';
import { checkLinkNow } from '@/lib/orders/link-checks/run';
import { lockPlacement } from '@/lib/orders/placements/lock';
import { recordAudit } from '@/lib/platform/audit/record';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { WordPressError } from '@/lib/sites/wordpress/client';
import { notConnectedError, requireConnection, withConnection } from '@/lib/sites/wordpress/connection';
import { insertLink, type LinkChange } from './insert-link';
import { formatGmt, getPost, updatePost } from './requests';

type Restored = { change: LinkChange; wasRepublished: boolean; check: typeof linkChecks.$inferSelect };

/**
 * Restores the link of an order in its post: puts it into the content as the brief asks, publishes a post that visitors
 * cannot read again, and checks the page.
 * @throws AppError not_found for a placement of another seller and a site without a connection; conflict for an order
 * without a known post, after the end of its checks, for a revoked connection and while the domain is not proved; unprocessable for a post that was
 * deleted; rate_limited; WordPressError
 */
export async function restoreLink(actor: Actor, orderId: number): Promise<Restored> {
  const { post, requested, connection } = await findPost(actor, orderId);
  await consumeLimit('wordpress', { account: actor.userId, address: actor.ip });
  const restored = await withConnection(connection, async (access) => {
    const current = await getPost(access, post.id);
    const { content, change } = insertLink(current.content.raw, requested, post.content);
    const { status, password } = current;
    await updatePost(access, post.id, {
      content,
      ...(status !== 'publish' && { status: 'publish' as const }),
      ...(status === 'future' && { date_gmt: formatGmt(new Date()) }),
      ...(password !== '' && { password: '' }),
    });
    return { change, wasRepublished: status !== 'publish' || password !== '' };
  }).catch((thrown: unknown) => {
    if (!(thrown instanceof WordPressError) || thrown.failure !== 'missing') throw thrown;
    throw new WordPressError(
      'missing',
      `The post was deleted in WordPress on ${connection.host}. Publish the article again at ${post.url}.`,
    );
  });
  await db().transaction((tx) =>
    recordAudit(tx, actor, {
      action: 'link.restored',
      details: `${actor.email} restored the link of order #${orderId} in WordPress on ${connection.host}.`,
      entityType: 'order',
      entityId: orderId,
      after: { postId: post.id, ...restored },
    }),
  );
  return { ...restored, check: await checkLinkNow(actor, orderId, { sellerId: actor.userId }, 'repair') };
}

async function findPost(actor: Actor, orderId: number) {
  return db().transaction(async (tx) => {
    const { order, placement } = await lockPlacement(tx, orderId, { sellerId: actor.userId });
    const [watch] = await tx.select().from(linkWatches).where(eq(linkWatches.orderId, orderId));
    if (!watch || watch.endedAt !== null || isOver(placement)) {
      throw new AppError(
        'conflict',
        `The link of order #${orderId} is not checked any more: there is nothing to restore.`,
      );
    }
    const [post] = await tx.select().from(orderPosts).where(eq(orderPosts.orderId, orderId));
    if (!post?.postId || !isSamePage(post.url, watch.pageUrl)) {
      throw new AppError(
        'conflict',
        `Order #${orderId} was not published through the connection with WordPress. Repair the link there, then report the repair.`,
      );
    }
    const connection = await requireConnection(actor.userId, order.siteId, tx);
    if (connection.host !== post.host) throw notConnectedError();
    const { targetUrl, anchor, rel } = watch;
    return {
      post: { id: post.postId, url: post.url, content: post.content },
      requested: { targetUrl, anchor, rel },
      connection,
    };
  });
}
