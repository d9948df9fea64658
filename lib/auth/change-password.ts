import { eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { users } from '../../db/schema/users';
import { recordAudit } from '../audit/record';
import { AppError } from '../errors';
import type { Actor } from './actor';
import { endAllSessions } from './end-all-sessions';
import { hashPassword, verifyPassword } from './password';

/**
 * Sets a new password with the current one; every other session of the person ends.
 * @throws AppError invalid_input when the current password is wrong
 */
export async function changePassword(actor: Actor, current: string, next: string): Promise<void> {
  const [user] = await db().select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, actor.userId));
  if (!(await verifyPassword(user?.passwordHash ?? null, current))) {
    const message = 'The current password is not right.';
    throw new AppError('invalid_input', message, { fields: { current: message } });
  }
  const passwordHash = await hashPassword(next);
  await db().transaction(async (tx) => {
    await tx.update(users).set({ passwordHash }).where(eq(users.id, actor.userId));
    const ended = await endAllSessions(tx, actor.userId, actor.sessionId);
    await recordAudit(tx, actor, {
      action: 'user.password_changed',
      details: `${actor.email} changed the password; ${ended} other sessions were ended.`,
      entityType: 'user',
      entityId: actor.userId,
    });
  });
}
