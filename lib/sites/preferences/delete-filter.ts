import { and, eq } from 'drizzle-orm';
import { db } from '../../../db/client';
import { savedFilters } from '../../../db/schema/site-preferences';
import type { Actor } from '../../auth/actor';
import { AppError } from '../../errors';

/** @throws AppError not_found for one that is gone or another person's: the two look the same */
export async function deleteFilter(actor: Actor, id: string): Promise<void> {
  const gone = await db()
    .delete(savedFilters)
    .where(and(eq(savedFilters.id, id), eq(savedFilters.userId, actor.userId)))
    .returning({ id: savedFilters.id });
  if (gone.length === 0) throw new AppError('not_found', 'This saved filter does not exist any more.');
}
