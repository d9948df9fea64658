import { text } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { orderPosts } from '@/db/schema/wordpress';
import type { Actor } from '@/lib/access/actor';
import { AppError, nullIfNotFound } from '@/lib/errors';
import { openArticle } from '@/lib/orders/briefs/articles';
import { getSellerOrder } from '@/lib/orders/order/seller-queries';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { getOwnConnection, getWordPress, notConnectedError, withConnection } from '@/lib/sites/wordpress/connection';
import type { ContentFormat, PublishForm, PublishView } from './contract';
import { postView } from './publish';
import { listCategories } from './requests';

/** The post of an order, and whether its site is connected with WordPress, for the order's page. */
export type OrderPosting = {
  post: PublishView['post'] | null;
  /** Whether the post that is delivered is known to WordPress. */
  canRestore: boolean;
  state: 'none' | 'connected' | 'revoked';
  siteId: number | null;
};

/** Finds the post of an own order for its page. */
export async function findPosting(actor: Pick<Actor, 'userId'>, orderId: number): Promise<OrderPosting> {
  const [row] = await db()
    .select({ siteId: orders.siteId, post: orderPosts })
    .from(orders)
    .leftJoin(orderPosts, eq(orderPosts.orderId, orders.id))
    .where(eq(orders.id, orderId));
  const siteId = row?.siteId ?? null;
  const own = siteId === null ? null : await nullIfNotFound(getOwnConnection(actor.userId, siteId));
  const post = row?.post ?? null;
  return {
    post: post && postView(post),
    canRestore: post?.postId != null && own?.connection?.host === post.host,
    state: own?.connection?.state ?? 'none',
    siteId,
  };
}

/**
 * Returns what a seller needs to publish the article of an order: the categories of the WordPress, and the text that was
 * published before or that the buyer uploaded.
 * @throws AppError not_found for a placement of another seller and a site without a connection; rate_limited
 */
export async function getPublishForm(actor: Actor, orderId: number): Promise<PublishForm> {
  const order = await getSellerOrder(actor, orderId);
  const [row] = await db()
    .select({ siteId: orders.siteId, post: orderPosts })
    .from(orders)
    .leftJoin(orderPosts, eq(orderPosts.orderId, orders.id))
    .where(eq(orders.id, orderId));
  const { siteId = null, post = null } = row ?? {};
  const { connection } = siteId === null ? { connection: null } : await getOwnConnection(actor.userId, siteId);
  if (siteId === null || !connection) throw notConnectedError();
  await consumeLimit('wordpress', { account: actor.userId, address: actor.ip });
  const [wordpress, { categories, error }, article] = await Promise.all([
    getWordPress(actor.userId, siteId),
    withConnection(connection, listCategories).then((categories) => ({ categories, error: '' }), describeFailure),
    post ? { title: post.title, content: post.content, format: 'html' as const } : readArticle(orderId),
  ]);
  return {
    wordpress,
    publish: wordpress.publish,
    notBefore: order.brief?.notBefore ?? null,
    ...{ categories, error, ...article },
    post: post && postView(post),
  };
}

function describeFailure(thrown: unknown): { categories: never[]; error: string } {
  if (!(thrown instanceof AppError)) throw thrown;
  return { categories: [], error: thrown.message };
}

type Article = { title: string; content: string; format: ContentFormat };

/** A text that is longer is left to the seller. */
const maxArticleBytes = 400_000;

/** Reads the article of a buyer, if it is a text. Its first heading becomes the title. */
async function readArticle(orderId: number): Promise<Article> {
  const file = await nullIfNotFound(openArticle(orderId));
  const empty: Article = { title: '', content: '', format: 'markdown' };
  if (!file) return empty;
  if (!file.mediaType.startsWith('text/') || file.sizeBytes > maxArticleBytes) {
    file.stream.destroy();
    return empty;
  }
  return splitTitle(await text(file.stream), /\.html?$/i.test(file.fileName) ? 'html' : 'markdown');
}

const headings: Record<ContentFormat, RegExp> = {
  markdown: /^\s*#[ \t]+(.{1,200}?)[ \t]*#*[ \t]*(?:\r?\n|$)/,
  html: /<h1\b[^>]*>([^<]{1,200})<\/h1\s*>/i,
};

/** Splits an article into its title, the first heading, and the rest. Of a page in HTML, the body counts. */
export function splitTitle(article: string, format: ContentFormat): Article {
  const body = format === 'html' ? (/<body\b[^>]*>([\s\S]*?)<\/body\s*>/i.exec(article)?.[1] ?? article) : article;
  const found = headings[format].exec(body);
  const title = found?.[1]?.trim() ?? '';
  return { title, content: (found ? body.replace(found[0], '') : body).trim(), format };
}
