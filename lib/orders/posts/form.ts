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
import { getOwnConnection, getWordPress, requireConnection, withConnection } from '@/lib/sites/wordpress/connection';
import type { ContentFormat, PublishForm, PublishView } from './contract';
import { postView } from './publish';
import { listCategories } from './requests';

/** The post of an order, and whether its site is connected with WordPress, for the order's page. */
export type OrderPosting = {
  post: PublishView['post'] | null;
  /** Whether the post that is delivered is known to WordPress. */
  canRestore: boolean;
  /** `unproved`: connected, but the domain is not proved any more. */
  state: 'none' | 'connected' | 'revoked' | 'unproved';
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
    state: own?.connection && !own.isProved ? 'unproved' : (own?.connection?.state ?? 'none'),
    siteId,
  };
}

/**
 * Returns what a seller needs to publish the article of an order: the categories of the WordPress, and the text that was
 * published before or that the buyer uploaded.
 * @throws AppError not_found for a placement of another seller and a site without a connection; conflict for a revoked
 * connection, and while the domain is not proved; rate_limited
 */
export async function getPublishForm(actor: Actor, orderId: number): Promise<PublishForm> {
  const order = await getSellerOrder(actor, orderId);
  const [row] = await db()
    .select({ siteId: orders.siteId, post: orderPosts })
    .from(orders)
    .leftJoin(orderPosts, eq(orderPosts.orderId, orders.id))
    .where(eq(orders.id, orderId));
  const post = row?.post ?? null;
  const connection = await requireConnection(actor.userId, row?.siteId ?? null);
  await consumeLimit('wordpress', { account: actor.userId, address: actor.ip });
  const [wordpress, { categories, error }, article] = await Promise.all([
    getWordPress(actor.userId, connection.siteId),
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

/** Splits an article into its title, the first heading, and the rest. Of a page in HTML, the body counts. */
export function splitTitle(article: string, format: ContentFormat): Article {
  const { title, content } = format === 'html' ? splitHtml(article) : splitMarkdown(article);
  return { title: title.trim(), content: content.trim(), format };
}

// The patterns have no unlimited part that can begin in many places: the text is that of a buyer.
const bodyTag = /<body\b[^<>]{0,1000}>/i;
const heading = /<h1\b[^<>]{0,1000}>([^<]{1,200})<\/h1>/i;

function splitHtml(article: string) {
  const body = bodyTag.exec(article);
  const end = article.toLowerCase().lastIndexOf('</body');
  const content = body ? article.slice(body.index + body[0].length, end < 0 ? undefined : end) : article;
  const found = heading.exec(content);
  return { title: found?.[1] ?? '', content: found ? content.replace(found[0], () => '') : content };
}

function splitMarkdown(article: string) {
  const content = article.trimStart();
  const [line = ''] = content.split('\n', 1);
  const text = line.trim();
  if (!/^#\s/.test(text) || text.length > 250) return { title: '', content };
  const title = text.slice(1).replace(/\s#+$/, '').trim();
  return title.length > 200 ? { title: '', content } : { title, content: content.slice(line.length) };
}
