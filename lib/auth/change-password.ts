import { eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { users } from '../../db/schema/users';
import { recordAudit } from '../audit/record';
import type { Actor } from './actor';
import { retireEmailTokens } from './email-token';
import { endAllSessions } from './end-all-sessions';
import { hashPassword } from './password';
import { requirePassword } from './require-password';
import { requireUnchanged } from './require-unchanged';

/**
 * Sets a new password with the current one; every other session of the person ends.
 * @throws AppError invalid_input when the current password is wrong, rate_limited after too many tries,
 * unauthenticated when the password was reset or the session ended meanwhile
 */
export async function changePassword(actor: Actor, current: string, next: string): Promise<void> {
  const checked = await requirePassword(actor, current, 'current');
  const passwordHash = await hashPassword(next);
  await db().transaction(async (tx) => {
    await requireUnchanged(tx, actor, checked);
    await tx.update(users).set({ passwordHash }).where(eq(users.id, actor.userId));
    // A reset link in somebody else's hands must not undo this.
    await retireEmailTokens(tx, actor.userId, 'reset-password');
    const ended = await endAllSessions(tx, actor.userId, actor.sessionId);
    await recordAudit(tx, actor, {
      action: 'user.password_changed',
      details: `${actor.email} changed the password; ${ended} other sessions were ended.`,
      entityType: 'user',
      entityId: actor.userId,
    });
  });
}
