import { eq, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client';
import { users } from '../../db/schema/users';
import { recordAudit } from '../audit/record';
import { queueAccountNotice } from '../mail/security-notices';
import type { Actor } from './actor';
import { retireEmailTokens } from './email-token';
import { endAllSessions } from './end-all-sessions';

/**
 * Writes a person's own new password; every other session of theirs ends. The caller has checked the current one and
 * locked the row (`requireUnchanged`).
 */
export async function setPassword(tx: Executor, actor: Actor, passwordHash: string): Promise<void> {
  await tx
    .update(users)
    .set({ passwordHash, version: sql`${users.version} + 1` })
    .where(eq(users.id, actor.userId));
  // A link in somebody else's hands must not undo this, nor take the account elsewhere.
  await retireEmailTokens(tx, actor.userId, 'reset-password', 'change-email');
  const ended = await endAllSessions(tx, actor.userId, actor.sessionId);
  await recordAudit(tx, actor, {
    action: 'user.password_changed',
    details: `${actor.email} changed the password; ${ended} other sessions were ended.`,
    entityType: 'user',
    entityId: actor.userId,
  });
  await queueAccountNotice(tx, actor.email, {
    subject: 'Your password was changed',
    text: 'The password of your account was changed, and your other sessions were ended.',
    from: actor.ip,
  });
}
