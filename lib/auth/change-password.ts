import { eq, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { queueAccountNotice } from '@/lib/mail/security-notices';
import { recordUserAudit } from '@/lib/platform/audit/record';
import { invalidateEmailTokens } from './email-token';
import { hashChosenPassword } from './password';
import { requirePassword, requireUnchanged } from './recent-authentication';
import { endAllSessions } from './revoke-access';

/**
 * Changes the password with the current one; all other sessions of the user end.
 * @throws AppError invalid_input when the current password is wrong or the new one is easy to guess, rate_limited after
 * too many attempts, unauthenticated when the password was reset or the session ended in the meantime
 */
export async function changePassword(actor: Actor, current: string, next: string): Promise<void> {
  const checked = await requirePassword(actor, current, 'current');
  const passwordHash = await hashChosenPassword(next, actor);
  await db().transaction(async (tx) => {
    await requireUnchanged(tx, actor, checked);
    await setPassword(tx, actor, passwordHash);
  });
}

/**
 * Stores a user's new password and ends all other sessions. The caller has checked the current password and locked the
 * row (`requireUnchanged`).
 */
export async function setPassword(tx: Executor, actor: Actor, passwordHash: string): Promise<void> {
  await tx
    .update(users)
    .set({ passwordHash, version: sql`${users.version} + 1` })
    .where(eq(users.id, actor.userId));
  // An open link must not reset the password again or change the email address.
  await invalidateEmailTokens(tx, actor.userId, 'reset-password', 'change-email', 'telegram');
  const ended = await endAllSessions(tx, actor.userId, actor.sessionId);
  await recordUserAudit(
    tx,
    actor,
    'user.password_changed',
    `${actor.email} changed the password; ${ended} other sessions were ended.`,
  );
  await queueAccountNotice(tx, actor.email, {
    subject: 'Your password was changed',
    text: 'The password of your account was changed, and your other sessions were ended.',
    from: actor.ip,
  });
}
