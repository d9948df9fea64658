import { and, eq, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { topups } from '../../db/schema/topups';
import { AppError } from '../errors';
import type { Topup } from './find-topup';

/**
 * Takes up an intent that another call wrote and that has no checkout yet. Its next check moves, which tells that call,
 * should it fail, that somebody else waits for the provider too: the intent is not ended then, and keeps its key.
 * @returns it as it now stands
 * @throws AppError conflict when it ended a moment ago
 */
export async function joinIntent({ id }: Topup): Promise<Topup> {
  const [joined] = await db()
    .update(topups)
    .set({ nextCheckAt: sql`greatest(${topups.nextCheckAt} + interval '1 second', now() + interval '2 minutes')` })
    .where(and(eq(topups.id, id), eq(topups.status, 'created')))
    .returning();
  if (joined) return joined;
  const [known] = await db().select().from(topups).where(eq(topups.id, id));
  if (known?.checkoutUrl) return known;
  throw new AppError('conflict', 'Another try of this top-up failed just now. Please try again.');
}
