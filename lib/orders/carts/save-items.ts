import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { cartItems, carts } from '@/db/schema/carts';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { getSitePrices } from '@/lib/orders/order/pricing';
import type { Cart, SaveCartItemsInput } from './contract';
import { lockCart } from './lock';
import { getCart } from './queries';

/**
 * Replaces the items of a cart of the actor. A site that the cart has keeps the price at which it was added; another one
 * must be on sale.
 * @throws AppError not_found, also for a cart of another user; conflict for a stale `version`; invalid_input for a
 * repeated site and for an added one that is not on sale
 */
export async function saveCartItems(actor: Actor, id: string, { items, version }: SaveCartItemsInput): Promise<Cart> {
  requireOnce(items);
  const prices = await getSitePrices(items.map(({ siteId }) => siteId));
  await db().transaction(async (tx) => {
    await lockCart(tx, actor.userId, id, version);
    const before = await tx
      .select({ siteId: cartItems.siteId, cents: cartItems.shownPriceCents })
      .from(cartItems)
      .where(eq(cartItems.cartId, id));
    const shown = new Map([...prices, ...before.map(({ siteId, cents }) => [siteId, cents] as const)]);
    const fields: Record<string, string> = {};
    const rows = items.flatMap(({ siteId, brief = {} }, position) => {
      const shownPriceCents = shown.get(siteId);
      if (shownPriceCents !== undefined) return [{ cartId: id, siteId, position, brief, shownPriceCents }];
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
