import { and, eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { topups } from '../../db/schema/topups';
import type { Actor } from '../auth/actor';
import { AppError } from '../errors';

/** A top-up of this person. @throws AppError not_found for another's as for none */
export async function findOwnTopup(actor: Actor, topupId: string): Promise<typeof topups.$inferSelect> {
  const [topup] = await db()
    .select()
    .from(topups)
    .where(and(eq(topups.id, topupId), eq(topups.userId, actor.userId)));
  if (!topup) throw new AppError('not_found', 'This top-up does not exist.');
  return topup;
}
