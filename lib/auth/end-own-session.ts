import { and, eq, isNull, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { sessions } from '../../db/schema/users';
import { recordAudit } from '../audit/record';
import { AppError } from '../errors';
import type { Actor } from './actor';

/**
 * Ends one of the actor's own sessions, e.g. of a lost phone.
 * @throws AppError not_found when it is not theirs or has ended
 */
export async function endOwnSession(actor: Actor, sessionId: string): Promise<void> {
  await db().transaction(async (tx) => {
    const ended = await tx
      .update(sessions)
      .set({ endedAt: sql`now()` })
      .where(and(eq(sessions.id, sessionId), eq(sessions.userId, actor.userId), isNull(sessions.endedAt)))
      .returning({ id: sessions.id });
    if (ended.length === 0) throw new AppError('not_found', 'This session has ended already.');
    await recordAudit(tx, actor, {
      action: 'session.ended',
      details: `${actor.email} ended a session.`,
      entityType: 'user',
      entityId: actor.userId,
    });
  });
}
