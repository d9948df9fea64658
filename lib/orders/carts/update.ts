import { eq } from 'drizzle-orm';
import type { z } from 'zod';
import { db } from '@/db/client';
import { carts } from '@/db/schema/carts';
import type { Actor } from '@/lib/access/actor';
import type { Cart, updateCartBody } from './contract';
import { cartNotFoundError, isCartOf, lockCart } from './lock';
import { getCart } from './queries';

/**
 * Renames a cart of the actor.
 * @throws AppError not_found, also for a cart of another user; conflict for a stale `version`
 */
export async function renameCart(
  actor: Actor,
  id: string,
  { name, version }: z.output<typeof updateCartBody>,
): Promise<Cart> {
  await db().transaction(async (tx) => {
    await lockCart(tx, actor, id, version);
    await tx
      .update(carts)
      .set({ name, version: version + 1 })
      .where(eq(carts.id, id));
  });
  return getCart(actor, id);
}

/** Deletes a cart of the actor with its items. @throws AppError not_found, also for a cart of another user */
export async function deleteCart(actor: Actor, id: string): Promise<void> {
  const deleted = await db().delete(carts).where(isCartOf(actor, id)).returning({ id: carts.id });
  if (deleted.length === 0) throw cartNotFoundError();
}
