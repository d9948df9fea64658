import { and, eq } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { carts } from '@/db/schema/carts';
import { isInScope } from '@/lib/access/account-roles';
import type { AccountScope } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';

export type CartRow = typeof carts.$inferSelect;

/** A member who sees certain projects has no cart without a project. */
export const isCartOf = (scope: AccountScope, id: string) => and(eq(carts.id, id), isInScope(scope, carts));

/**
 * Locks a cart that the member sees.
 * @param version the version that the change is based on
 * @throws AppError not_found, also for a cart of another user; conflict for another version
 */
export async function lockCart(tx: Executor, scope: AccountScope, id: string, version: number): Promise<CartRow> {
  const [cart] = await tx.select().from(carts).where(isCartOf(scope, id)).for('update');
  if (!cart) throw cartNotFoundError();
  if (cart.version !== version) throw cartChangedError(cart);
  return cart;
}

export const cartChangedError = ({ name }: Pick<CartRow, 'name'>) =>
  new AppError(
    'conflict',
    `The cart “${name}” was changed in another window, by a program or by a colleague in the meantime, so nothing was saved or ordered. Load it again and repeat.`,
  );

export const cartNotFoundError = () => new AppError('not_found', 'This cart no longer exists.');
