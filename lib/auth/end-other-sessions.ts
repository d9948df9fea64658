import { db } from '../../db/client';
import { recordAudit } from '../audit/record';
import type { Actor } from './actor';
import { endAllSessions } from './end-all-sessions';

/** Ends every session of the actor but the one that asks. @returns how many were ended */
export async function endOtherSessions(actor: Actor): Promise<{ ended: number }> {
  return db().transaction(async (tx) => {
    const ended = await endAllSessions(tx, actor.userId, actor.sessionId);
    await recordAudit(tx, actor, {
      action: 'session.ended',
      details: `${actor.email} ended ${ended} other sessions.`,
      entityType: 'user',
      entityId: actor.userId,
    });
    return { ended };
  });
}
