import { eq } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { cartItems, carts } from '@/db/schema/carts';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { listUsableArticles } from '@/lib/orders/briefs/articles';
import { getSiteOffers } from '@/lib/orders/order/site-offers';
import type { Cart, SaveCartItemsInput } from './contract';
import { lockCart } from './lock';
import { isSameChoice, priceItem } from './price-item';
import { getCart } from './queries';

/**
 * Replaces the items of a cart of the actor. A site that the cart has keeps the price at which it was added, and its
 * options the price at which they were chosen; another site must be on sale.
 * @throws AppError not_found, also for a cart of another user; conflict for a stale `version`; invalid_input for a
 * repeated site, for an added one that is not on sale, and for an article of a project that the member does not see
 */
export async function saveCartItems(actor: Actor, id: string, { items, version }: SaveCartItemsInput): Promise<Cart> {
  requireOnce(items);
  const offers = await getSiteOffers(
    actor.accountId,
    items.map(({ siteId }) => siteId),
  );
  await db().transaction(async (tx) => {
    await lockCart(tx, actor, id, version);
    const before = await tx.select().from(cartItems).where(eq(cartItems.cartId, id));
    const known = new Map(before.map((item) => [item.siteId, item]));
    const fields: Record<string, string> = await findForeignArticles(tx, actor, { items, before });
    const rows = items.flatMap(({ siteId, brief = {} }, position) => {
      const own = known.get(siteId);
      const shownPriceCents = own?.shownPriceCents ?? offers.prices.get(siteId);
      const shownOptionsCents =
        own && isSameChoice(own.brief, brief) ? own.shownOptionsCents : priceItem(offers, siteId, brief).optionsCents;
      if (shownPriceCents !== undefined)
        return [{ cartId: id, siteId, position, brief, shownPriceCents, shownOptionsCents }];
      fields[`items.${position}.siteId`] = `Site #${siteId} does not exist or is not on sale.`;
      return [];
    });
    requireNone(fields);
    await tx.delete(cartItems).where(eq(cartItems.cartId, id));
    if (rows.length > 0) await tx.insert(cartItems).values(rows);
    await tx
      .update(carts)
      .set({ version: version + 1 })
      .where(eq(carts.id, id));
  });
  return getCart(actor, id);
}

/**
 * Finds the articles that a member who sees certain projects may not use: with one in an own cart, it could be ordered and
 * read. Others may name any article; the cart tells which do not exist.
 */
async function findForeignArticles(
  tx: Executor,
  actor: Actor,
  { items, before }: { items: SaveCartItemsInput['items']; before: readonly (typeof cartItems.$inferSelect)[] },
): Promise<Record<string, string>> {
  if (actor.projectIds === null) return {};
  const kept = new Set(before.flatMap(({ brief: { articleId } }) => (articleId ? [String(articleId)] : [])));
  const added = items.flatMap(({ brief }, position) => {
    const id = brief?.articleId ? String(brief.articleId) : '';
    return id === '' || kept.has(id) ? [] : [{ id, position }];
  });
  if (added.length === 0) return {};
  const usable = await listUsableArticles(
    tx,
    actor,
    added.map(({ id }) => id),
  );
  return Object.fromEntries(
    added
      .filter(({ id }) => !usable.has(id))
      .map(({ position }) => [
        `items.${position}.brief.articleId`,
        'This article does not exist or was removed. Upload it again.',
      ]),
  );
}

function requireOnce(items: SaveCartItemsInput['items']): void {
  const seen = new Set<number>();
  const fields: Record<string, string> = {};
  for (const [position, { siteId }] of items.entries()) {
    if (seen.has(siteId)) fields[`items.${position}.siteId`] = `Site #${siteId} is in the list already.`;
    seen.add(siteId);
  }
  requireNone(fields);
}

function requireNone(fields: Record<string, string>): void {
  const [message] = Object.values(fields);
  if (message !== undefined) throw new AppError('invalid_input', message, { fields });
}
