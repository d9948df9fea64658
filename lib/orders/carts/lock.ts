import { and, eq } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { carts } from '@/db/schema/carts';
import { AppError } from '@/lib/errors';

export type CartRow = typeof carts.$inferSelect;

export const isCartOf = (accountId: string, id: string) => and(eq(carts.id, id), eq(carts.accountId, accountId));

/**
 * Locks a cart of the user.
 * @param version the version that the change is based on
 * @throws AppError not_found, also for a cart of another user; conflict for another version
 */
export async function lockCart(tx: Executor, accountId: string, id: string, version: number): Promise<CartRow> {
  const [cart] = await tx.select().from(carts).where(isCartOf(accountId, id)).for('update');
  if (!cart) throw cartNotFoundError();
  if (cart.version !== version) throw cartChangedError(cart);
  return cart;
}

// Only the owner changes a cart, so that another user is not the cause.
export const cartChangedError = ({ name }: Pick<CartRow, 'name'>) =>
  new AppError(
    'conflict',
    `The cart “${name}” was changed in another window or by a program in the meantime, so nothing was saved or ordered. Load it again and repeat.`,
  );

export const cartNotFoundError = () => new AppError('not_found', 'This cart no longer exists.');
