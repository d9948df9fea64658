import type { Readable } from 'node:stream';
import { and, count, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { cartItems, carts } from '@/db/schema/carts';
import { orderRequests } from '@/db/schema/order-requests';
import { orders } from '@/db/schema/orders';
import { briefArticles, orderBriefs } from '@/db/schema/placements';
import { isInScope } from '@/lib/access/account-roles';
import { lockAccount } from '@/lib/access/accounts';
import type { AccountScope, Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { articleKinds } from '@/lib/orders/deliverables/file-kind';
import { deleteIfOrphaned, storeFile } from '@/lib/orders/deliverables/store-file';
import { recordAudit } from '@/lib/platform/audit/record';
import type { Attachment } from '@/lib/platform/http/attachment-response';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { newArticleKey } from '@/lib/platform/storage/storage-key';
import { contentStore } from '@/lib/platform/storage/store';

/**
 * The number of articles of a buyer that no brief of an order names: one for each site of a full cart. The job
 * remove-old-records deletes those that no cart names either after 7 days.
 */
const maxUnattached = 100;

/** The response of POST /api/brief-articles. */
export const articleResponse = z.object({
  id: z.string().describe('The `articleId` of a brief.'),
  fileName: z.string(),
  mediaType: z.string(),
  sizeBytes: z.int(),
});

/**
 * Stores an article that the actor wrote, for a brief.
 * @param file the content; destroyed if it is rejected
 * @param name the file name sent by the browser
 * @throws AppError rate_limited, conflict with too many articles that no brief names, too_large, unsupported_type,
 * invalid_input for an empty or infected file, provider_failed if the virus scanner or the object store is unavailable
 */
export async function uploadArticle(
  actor: Actor,
  file: Readable,
  name: string,
): Promise<z.output<typeof articleResponse>> {
  const { accountId } = actor;
  try {
    await consumeLimit('article', { account: accountId, address: '' });
    await requireFewUnattached(db(), accountId);
  } catch (thrown) {
    file.destroy();
    throw thrown;
  }
  const id = newId();
  const storageKey = newArticleKey(accountId);
  const { fileName, mediaType, sizeBytes, sha256 } = await storeFile(file, name, {
    storageKey,
    kinds: articleKinds,
    onInfected: (refused, found) =>
      recordAudit(db(), actor, {
        action: 'content.refused',
        details: `The article ${refused} was refused because the virus scanner found ${found}.`,
        entityType: 'content',
        entityId: id,
      }),
  });
  try {
    await db().transaction(async (tx) => {
      // Serializes uploads of one account, so that concurrent ones do not exceed the maximum.
      await lockAccount(tx, accountId);
      await requireFewUnattached(tx, accountId);
      await tx
        .insert(briefArticles)
        .values({ id, accountId, uploadedBy: actor.userId, storageKey, fileName, mediaType, sizeBytes, sha256 });
      await recordAudit(tx, actor, {
        action: 'article.uploaded',
        details: `The article ${fileName} uploaded for a brief.`,
        entityType: 'article',
        entityId: id,
        after: { fileName, mediaType, sizeBytes, sha256 },
      });
    });
  } catch (thrown) {
    if (!(await deleteIfOrphaned(storageKey))) throw thrown;
  }
  return { id, fileName, mediaType, sizeBytes };
}

async function requireFewUnattached(on: Executor, accountId: string): Promise<void> {
  const [found] = await on
    .select({ unattached: count() })
    .from(briefArticles)
    .where(and(eq(briefArticles.accountId, accountId), isNull(briefArticles.attachedAt)));
  if ((found?.unattached ?? 0) < maxUnattached) return;
  throw new AppError(
    'conflict',
    `You have ${maxUnattached} uploaded articles that no order uses. Order with them first; those that no cart uses are removed after 7 days.`,
  );
}

type ArticleUser = Pick<Actor, 'userId' | keyof AccountScope>;

/**
 * Builds the condition that a member may use an article: one of the account, and for a member who sees certain projects one
 * that the member uploaded or that an order or a cart of these projects names.
 */
const isUsable = (actor: ArticleUser): SQL | undefined => {
  const isOfAccount = eq(briefArticles.accountId, actor.accountId);
  if (actor.projectIds === null) return isOfAccount;
  const inOrder = sql`exists (select from ${orderBriefs} join ${orders} on ${orders.id} = ${orderBriefs.orderId}
    where ${orderBriefs.articleId} = ${briefArticles.id} and ${isInScope(actor, orders)})`;
  const inCart = sql`exists (select from ${cartItems} join ${carts} on ${carts.id} = ${cartItems.cartId}
    where ${cartItems.brief} ->> 'articleId' = ${briefArticles.id} and ${isInScope(actor, carts)})`;
  return and(isOfAccount, or(eq(briefArticles.uploadedBy, actor.userId), inOrder, inCart));
};

/** Returns which of these articles the actor may use. */
export async function listUsableArticles(
  tx: Executor,
  actor: ArticleUser,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await tx
    .select({ id: briefArticles.id })
    .from(briefArticles)
    .where(and(inArray(briefArticles.id, [...ids]), isUsable(actor)));
  return new Set(rows.map(({ id }) => id));
}

/**
 * Marks articles as named by a brief, which keeps them. The caller inserts the brief in the same transaction.
 * @param articles the name of the field for the error, by the article's id
 * @returns the file names by the article's id
 * @throws AppError not_found for an article that the actor may not use or that was removed
 */
export async function attachArticles(
  tx: Executor,
  actor: ArticleUser,
  articles: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  if (articles.size === 0) return new Map();
  const named = and(inArray(briefArticles.id, [...articles.keys()]), isUsable(actor));
  // In the order of the ids, so that concurrent orders with the same articles do not block each other.
  const found = await tx
    .select({ id: briefArticles.id, fileName: briefArticles.fileName })
    .from(briefArticles)
    .where(named)
    .orderBy(briefArticles.id)
    .for('no key update');
  const missing = [...articles].filter(([id]) => found.every((row) => row.id !== id));
  if (missing.length > 0) {
    const message = 'This article does not exist or was removed. Upload it again.';
    const fields = Object.fromEntries(missing.map(([, field]) => [field, message]));
    throw new AppError('not_found', message, { fields });
  }
  await tx
    .update(briefArticles)
    .set({ attachedAt: sql`now()` })
    .where(and(named, isNull(briefArticles.attachedAt)));
  return new Map(found.map(({ id, fileName }) => [id, fileName]));
}

/** Marks an article as unused if no brief and no open request names it any more. The job remove-old-records deletes it later. */
export async function releaseArticle(tx: Executor, id: string): Promise<void> {
  // Waits for a concurrent `attachArticles`, whose brief the next statement then sees.
  await tx.select({ id: briefArticles.id }).from(briefArticles).where(eq(briefArticles.id, id)).for('no key update');
  await tx
    .update(briefArticles)
    .set({ attachedAt: null })
    .where(
      and(
        eq(briefArticles.id, id),
        sql`not exists (select from ${orderBriefs} where ${orderBriefs.articleId} = ${briefArticles.id})`,
        sql`not exists (select from ${orderRequests} where ${orderRequests.accountId} = ${briefArticles.accountId}
          and ${orderRequests.state} = 'open' and jsonb_path_exists(${orderRequests.body}, '$.**.articleId ? (@ == $id)', jsonb_build_object('id', ${briefArticles.id})))`,
      ),
    );
}

/**
 * Opens the article of an order's brief for sending. The caller checks access.
 * @throws AppError not_found when the brief has no article
 */
export async function openArticle(orderId: number): Promise<Attachment> {
  const [article] = await db()
    .select({
      fileName: briefArticles.fileName,
      mediaType: briefArticles.mediaType,
      sizeBytes: briefArticles.sizeBytes,
      storageKey: briefArticles.storageKey,
    })
    .from(orderBriefs)
    .innerJoin(briefArticles, eq(briefArticles.id, orderBriefs.articleId))
    .where(eq(orderBriefs.orderId, orderId));
  if (!article) throw new AppError('not_found', `The brief of order #${orderId} has no article.`);
  const { storageKey, ...facts } = article;
  return { ...facts, stream: await contentStore().get(storageKey) };
}
