import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { db, type Executor } from '../../db/client';
import { sessions, users } from '../../db/schema/users';
import type { Actor } from '../access/actor';
import { AppError } from '../errors';
import { consumeLimit, forgiveLimit } from '../platform/rate-limits/consume';
import { verifyPassword } from './password';
import { noteSignInFailure } from './sign-in-failures';

/** How long a typed password, or a passkey, stands for the person: five minutes. */
export const reauthenticationSeconds = 5 * 60;

/**
 * Step-up authentication: a session that was left open, or whose cookie was stolen, does not reach backups, payment
 * keys, rights, other people's passwords or manual credits. Called by `route()` and `action()` where
 * `recentAuthentication` is declared, and by verbs that need it for some changes only.
 * @throws AppError reauthentication_required
 */
export function requireRecentAuthentication(actor: Actor): void {
  if (actor.hasRecentAuthentication) return;
  throw new AppError('reauthentication_required', 'Confirm your password to continue.');
}

/**
 * Asks a signed-in person for the password once more, before what a stolen cookie must not do. Limited like sign-in.
 * @param field the name of the form's field, for the message under it
 * @returns the hash that was checked, for `requireUnchanged` once the writing begins
 * @throws AppError invalid_input for a wrong password, rate_limited after too many
 */
export async function requirePassword(actor: Actor, password: string, field: string): Promise<string> {
  const limited = { account: actor.userId, address: actor.ip };
  await consumeLimit('password', limited).catch((thrown: unknown) => {
    if (thrown instanceof AppError) noteSignInFailure('confirmationLocked', actor);
    throw thrown;
  });
  const [user] = await db().select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, actor.userId));
  const isRight = await verifyPassword(user?.passwordHash ?? null, password);
  if (!user || !isRight) {
    noteSignInFailure('confirmation', actor);
    const message = field === 'current' ? 'The current password is not right.' : 'The password is not right.';
    throw new AppError('invalid_input', message, { fields: { [field]: message } });
  }
  await forgiveLimit('password', limited);
  return user.passwordHash;
}

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
