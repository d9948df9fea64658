import { db } from '../../db/client';
import type { Actor } from './actor';
import { hashChosenPassword } from './choose-password';
import { requirePassword } from './require-password';
import { requireUnchanged } from './require-unchanged';
import { setPassword } from './set-password';

/**
 * Sets a new password with the current one; every other session of the person ends.
 * @throws AppError invalid_input when the current password is wrong or the new one is easy to guess, rate_limited after too many tries,
 * unauthenticated when the password was reset or the session ended meanwhile
 */
export async function changePassword(actor: Actor, current: string, next: string): Promise<void> {
  const checked = await requirePassword(actor, current, 'current');
  const passwordHash = await hashChosenPassword(next, actor);
  await db().transaction(async (tx) => {
    await requireUnchanged(tx, actor, checked);
    await setPassword(tx, actor, passwordHash);
  });
}
