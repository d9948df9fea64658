import type { Executor } from '@/db/client';
import type { orders } from '@/db/schema/orders';
import { orderBriefs } from '@/db/schema/placements';
import type { Actor } from '@/lib/access/actor';
import { markContactData } from '@/lib/orders/mark-contact-data';
import type { BriefRow } from '@/lib/orders/views';
import { attachArticles } from './articles';
import { hasContactNotes } from './contact-notes';
import { type OrderBriefs, resolveBrief } from './schemas';

type Order = typeof orders.$inferSelect;

/**
 * Inserts the briefs of orders that the transaction created, one for each.
 * @returns the briefs by order
 * @throws AppError not_found for an article that another user uploaded or that was removed
 */
export async function createBriefs(
  tx: Executor,
  { userId }: Actor,
  created: readonly Order[],
  { common, exceptions }: OrderBriefs,
): Promise<Map<number, BriefRow>> {
  const rows = created.map((order) => ({
    orderId: order.id,
    ...resolveBrief(order.projectTargetUrl, common, exceptions.get(order.siteId ?? 0)),
  }));
  const fieldNames = new Map(
    [['brief', common] as const, ...[...exceptions].map(([siteId, brief]) => [`briefs.${siteId}`, brief] as const)].map(
      ([name, { articleId }]) => [articleId, `${name}.articleId`] as const,
    ),
  );
  // An article that an exception replaced is in no brief and stays unused.
  const articles = new Map(
    rows.flatMap(({ articleId }) =>
      articleId ? [[articleId, fieldNames.get(articleId) ?? 'brief.articleId'] as const] : [],
    ),
  );
  const fileNames = await attachArticles(tx, userId, articles);
  const marked = created.filter((order, index) => {
    const brief = rows[index];
    return brief && hasContactNotes(order, brief);
  });
  await markContactData(
    tx,
    marked.map(({ id }) => id),
  );
  const insert = tx.insert(orderBriefs).values(rows).returning();
  // Prepared for the common case of one order, because each number of rows is a separate statement.
  const inserted = await (rows.length === 1 ? insert.prepare('brief').execute() : insert);
  return new Map(
    inserted.map((brief) => [
      brief.orderId,
      { ...brief, articleFileName: fileNames.get(brief.articleId ?? '') ?? null },
    ]),
  );
}
