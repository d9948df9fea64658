import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client';
import { sessions, users } from '../../db/schema/users';
import { AppError } from '../errors';
import type { Actor } from './actor';

/**
 * Checking a password takes time, in which it may be reset by mail or the session ended. Locks the person's row, as all
 * who change it do before they touch links, codes or sessions, so that whoever comes second sees what the first did.
 * @param passwordHash the one that was checked; left out where no password was
 * @throws AppError unauthenticated when the password is another one by now, or the session runs no more
 */
export async function requireUnchanged(tx: Executor, actor: Actor, passwordHash?: string): Promise<void> {
  const [user] = await tx
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(and(eq(users.id, actor.userId), eq(users.status, 'Active'), isNull(users.deletedAt)))
    .for('no key update');
  // A statement of its own: it sees what was committed while the one above waited.
  const [running] = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(
        eq(sessions.id, actor.sessionId),
        eq(sessions.userId, actor.userId),
        isNull(sessions.endedAt),
        gt(sessions.expiresAt, sql`now()`),
      ),
    );
  const isSame = user !== undefined && (passwordHash === undefined || user.passwordHash === passwordHash);
  if (!isSame || !running) {
    throw new AppError('unauthenticated', 'Please sign in to continue.');
  }
}
