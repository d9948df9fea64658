import { createHash } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { fileTypeFromBuffer } from 'file-type';
import { marked } from 'marked';
import { db } from '@/db/client';
import { orderPosts, type PublishSetting } from '@/db/schema/wordpress';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { lockPlacement } from '@/lib/orders/placements/lock';
import { requireState } from '@/lib/orders/placements/transition';
import { recordAudit } from '@/lib/platform/audit/record';
import { secondsFromNow } from '@/lib/platform/leases';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { type WordPressAccess, WordPressError } from '@/lib/sites/wordpress/client';
import { type Connection, requireConnection, withConnection } from '@/lib/sites/wordpress/connection';
import type { PublishInput, PublishView } from './contract';
import { deliverPost } from './deliver-post';
import {
  createPost,
  formatGmt,
  getPost,
  listLostPosts,
  type PostFields,
  parseGmt,
  updatePost,
  uploadImage,
  type WordPressPost,
} from './requests';

export type OrderPost = typeof orderPosts.$inferSelect;

/** Longer than all calls of a request may take together. */
const leaseSeconds = 120;
/** When the job first asks about a post. */
const firstLookSeconds = 5 * 60;
/** The time of the day, in UTC, at which scheduled posts appear. */
const publishTime = 'T08:00:00';

/**
 * Publishes the article of an order by the WordPress of its site, by the setting of its seller, and delivers a post that is
 * live. A repeated request changes the same post, also if the answer to the first was lost.
 * @throws AppError not_found for a placement of another seller and a site without a connection; conflict in another state,
 * while another request publishes the order, for a revoked connection and while the domain is not proved; invalid_input for a day or an image that is not
 * possible; rate_limited; WordPressError
 */
export async function publishPost(actor: Actor, orderId: number, input: PublishInput): Promise<PublishView> {
  const image = input.image && (await parseImage(input.image));
  await consumeLimit('wordpress', { account: actor.userId, address: actor.ip });
  const reserved = await reservePost(actor, orderId, input);
  const { row, connection } = reserved;
  try {
    const saved = await withConnection(connection, async (access) => {
      const mediaId = image ? await storeImage(access, row, image) : row.mediaId;
      return sendPost(access, reserved, {
        title: input.title,
        content: row.content,
        ...(input.categoryId !== undefined && { categories: [input.categoryId] }),
        ...(mediaId !== null && { featured_media: mediaId }),
      });
    });
    const post = await savePost(actor, row, saved);
    if (post.state !== 'live') return { post: postView(post), isDelivered: false, finding: '' };
    const delivery = await deliverPost(actor, orderId, post.url);
    return { post: postView({ ...post, lastError: delivery.finding }), ...delivery };
  } catch (thrown) {
    await releasePost(orderId, thrown);
    throw thrown;
  }
}

type Reserved = {
  row: OrderPost;
  /** The row of an earlier request to the same WordPress. */
  earlier: OrderPost | undefined;
  connection: Connection;
  status: PostFields;
};

/** Reserves the post of an order, so that simultaneous requests publish one. */
function reservePost(actor: Actor, orderId: number, input: PublishInput): Promise<Reserved> {
  const { title } = input;
  const content = renderContent(input);
  return db().transaction(async (tx) => {
    const locked = await lockPlacement(tx, orderId, { sellerId: actor.userId });
    requireVersion(locked.placement, input.version, `Order #${orderId}`);
    requireState(locked, 'delivered');
    const connection = await requireConnection(actor.userId, locked.order.siteId, tx);
    const status = planStatus(connection.publish, input.day, locked.brief?.notBefore ?? null, locked.now);
    const [before] = await tx.select().from(orderPosts).where(eq(orderPosts.orderId, orderId));
    if (before && before.leasedUntil > locked.now) {
      throw new AppError('conflict', `The article of order #${orderId} is being published. Wait a minute.`);
    }
    // A post on the WordPress of another host is not changed.
    const { host, siteId } = connection;
    const earlier = before?.host === host ? before : undefined;
    const started = { host, siteId, leasedUntil: secondsFromNow(leaseSeconds), title, content };
    const renewed = {
      state: 'publishing' as const,
      postId: null,
      url: '',
      mediaId: null,
      mediaHash: '',
      startedAt: sql`now()`,
    };
    const [row] = await tx
      .insert(orderPosts)
      .values({ orderId, ...started })
      .onConflictDoUpdate({ target: orderPosts.orderId, set: { ...started, ...(!earlier && renewed) } })
      .returning();
    if (!row) throw new Error('The post was not reserved.');
    return { row, earlier, connection, status };
  });
}

/** @throws AppError invalid_input for Markdown that is nested too deeply */
function renderContent({ content, format }: PublishInput): string {
  if (format === 'html') return content;
  try {
    return marked.parse(content, { async: false, gfm: true });
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    const message = 'This Markdown cannot be converted: it is nested too deeply.';
    throw new AppError('invalid_input', message, { fields: { content: message } });
  }
}

/** Returns the status of a new post, and its time for one that appears later. */
function planStatus(
  publish: PublishSetting,
  chosen: string | undefined,
  notBefore: string | null,
  now: Date,
): Reserved['status'] {
  const refuse = (message: string) => new AppError('invalid_input', message, { fields: { day: message } });
  const today = now.toISOString().slice(0, 10);
  if (publish === 'schedule' && chosen === undefined) throw refuse('Choose the day of publication.');
  if (chosen !== undefined && chosen < today) throw refuse('Choose a day that is not over.');
  if (chosen !== undefined && notBefore !== null && chosen < notBefore)
    throw refuse(`The buyer asks for publication on ${notBefore} or later.`);
  const day = chosen ?? (notBefore !== null && notBefore > today ? notBefore : undefined);
  const isLater = day !== undefined && parseGmt(day + publishTime) > now;
  const later = isLater ? { date_gmt: day + publishTime } : {};
  if (publish === 'draft') return { status: 'draft', ...later };
  return { status: isLater ? 'future' : 'publish', ...later };
}

type Image = { content: Buffer; name: string; mediaType: string; hash: string };

async function parseImage({ fileName, base64 }: NonNullable<PublishInput['image']>): Promise<Image> {
  const content = Buffer.from(base64, 'base64');
  const found = await fileTypeFromBuffer(content);
  if (!found || !['png', 'jpg', 'webp', 'gif'].includes(found.ext)) {
    const message = 'Choose a PNG, JPEG, WebP or GIF image.';
    throw new AppError('invalid_input', message, { fields: { image: message } });
  }
  // The name becomes a part of the address of the image.
  const stem = fileName
    .replace(/\.\w+$/, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80);
  const hash = createHash('sha256').update(content).digest('hex');
  return { content, name: `${stem || 'image'}.${found.ext}`, mediaType: found.mime, hash };
}

/** Uploads an image, unless an earlier request did. */
async function storeImage(access: WordPressAccess, row: OrderPost, { hash, ...file }: Image): Promise<number> {
  if (row.mediaId !== null && row.mediaHash === hash) return row.mediaId;
  const mediaId = await uploadImage(access, file);
  await db().update(orderPosts).set({ mediaId, mediaHash: hash }).where(eq(orderPosts.orderId, row.orderId));
  return mediaId;
}

/** Creates the post, or updates the one of an earlier request. A live post stays live. */
async function sendPost(
  access: WordPressAccess,
  { row, earlier, connection, status }: Reserved,
  fields: PostFields,
): Promise<WordPressPost> {
  const current =
    row.postId === null
      ? earlier && (await findLostPost(access, earlier, connection.authorId))
      : await findPost(access, row.postId);
  if (!current) return createPost(access, { ...fields, ...status });
  if (current.status === 'publish') return updatePost(access, current.id, fields);
  // WordPress keeps the day of a post that was scheduled.
  const date = status.status === 'publish' && { date_gmt: formatGmt(new Date()) };
  return updatePost(access, current.id, { ...fields, ...date, ...status });
}

/** Finds the post of an earlier request whose answer was lost. One of another order with the same title is not changed. */
async function findLostPost(access: WordPressAccess, earlier: OrderPost, authorId: number) {
  const { host } = earlier;
  for (const lost of await listLostPosts(access, { ...earlier, authorId })) {
    const isOfOrder =
      (await db().$count(orderPosts, and(eq(orderPosts.host, host), eq(orderPosts.postId, lost.id)))) > 0;
    if (!isOfOrder) return lost;
  }
  return undefined;
}

/** Finds a post. @returns undefined if it was deleted in WordPress */
async function findPost(access: WordPressAccess, id: number): Promise<WordPressPost | undefined> {
  try {
    return await getPost(access, id);
  } catch (thrown) {
    if (thrown instanceof WordPressError && thrown.failure === 'missing') return undefined;
    throw thrown;
  }
}

/** Returns what is stored of a post by its status, and when the job looks at it if it is not delivered until then. */
export function describePost({ id, status, link, date_gmt: date }: WordPressPost) {
  if (status === 'publish') {
    return {
      postId: id,
      state: 'live' as const,
      url: link,
      publishAt: null,
      checkAt: secondsFromNow(firstLookSeconds),
    };
  }
  if (status === 'future' && date !== null) {
    const publishAt = parseGmt(date);
    const checkAt = new Date(publishAt.getTime() + 60_000);
    return { postId: id, state: 'scheduled' as const, url: '', publishAt, checkAt };
  }
  return { postId: id, state: 'draft' as const, url: '', publishAt: null, checkAt: secondsFromNow(firstLookSeconds) };
}

async function savePost(actor: Actor, { orderId, siteId }: OrderPost, saved: WordPressPost): Promise<OrderPost> {
  return db().transaction(async (tx) => {
    const [post] = await tx
      .update(orderPosts)
      .set({ ...describePost(saved), leasedUntil: sql`now()`, retries: 0, lastError: '' })
      .where(eq(orderPosts.orderId, orderId))
      .returning();
    if (!post) throw new Error(`The post of order #${orderId} is gone.`);
    await recordAudit(tx, actor, {
      action: 'post.published',
      details: `The article of order #${orderId} was sent to WordPress on ${post.host}: ${post.state}.`,
      entityType: 'order',
      entityId: orderId,
      after: { siteId, postId: post.postId, state: post.state, url: post.url },
    });
    return post;
  });
}

async function releasePost(orderId: number, thrown: unknown): Promise<void> {
  const lastError = thrown instanceof AppError ? thrown.message : 'The article was not published. Try again.';
  await db().update(orderPosts).set({ leasedUntil: sql`now()`, lastError }).where(eq(orderPosts.orderId, orderId));
}

export const postView = ({
  state,
  title,
  url,
  publishAt,
  lastError,
}: Pick<OrderPost, 'state' | 'title' | 'url' | 'publishAt' | 'lastError'>): PublishView['post'] => ({
  ...{ state, title, lastError },
  url: url || null,
  publishAt: publishAt?.toISOString() ?? null,
});
