import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { sessions, users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { AppError, signedOutMessage } from '@/lib/errors';
import { recordUserAudit } from '@/lib/platform/audit/record';
import { consumeLimit, resetLimit } from '@/lib/platform/rate-limits/consume';
import type { PasskeyAssertion } from './contract';
import { confirmWithPasskey } from './passkey-requests';
import { verifyPassword } from './password';
import { recordSignInFailure } from './sign-in-failures';

/** How long a reauthentication with password or passkey is valid: five minutes. */
export const reauthenticationSeconds = 5 * 60;

/**
 * Requires a recent password or passkey (step-up authentication): an unattended session or a stolen cookie gives no
 * access to backups, payment keys, rights, other users' passwords or manual credits. Called by `route()` and `action()`
 * when `recentAuthentication` is declared, and by functions that need it for some changes only.
 * @throws AppError reauthentication_required, forbidden for an API token, which has no password
 */
export function requireRecentAuthentication(actor: Actor): void {
  if (actor.token) {
    throw new AppError('forbidden', 'This needs your password, so an API token cannot do it. Sign in to the website.');
  }
  if (actor.hasRecentAuthentication) return;
  throw new AppError('reauthentication_required', 'Confirm your password to continue.');
}

/**
 * Checks the password of a signed-in user before an operation that a stolen cookie must not perform. Limited like
 * sign-in.
 * @param field the name of the form field for the error message
 * @returns the verified hash, for `requireUnchanged` in the transaction
 * @throws AppError invalid_input for a wrong password, rate_limited after too many attempts
 */
export async function requirePassword(actor: Actor, password: string, field: string): Promise<string> {
  const limited = { account: actor.userId, address: actor.ip };
  await consumeLimit('password', limited).catch((thrown: unknown) => {
    if (thrown instanceof AppError) recordSignInFailure('confirmationLocked', actor);
    throw thrown;
  });
  const [user] = await db().select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, actor.userId));
  const isRight = await verifyPassword(user?.passwordHash ?? null, password);
  if (!user || !isRight) {
    recordSignInFailure('confirmation', actor);
    const message = field === 'current' ? 'The current password is incorrect.' : 'The password is incorrect.';
    throw new AppError('invalid_input', message, { fields: { [field]: message } });
  }
  await resetLimit('password', limited);
  return user.passwordHash;
}

/**
 * Checks that the password and the session have not changed since the password was verified, which takes time. Locks
 * the user's row first, like all writers of links, codes and sessions, so that concurrent changes are serialized.
 * @param passwordHash the verified hash; omitted when no password was verified
 * @throws AppError unauthenticated when the password was changed or the session has ended
 */
export async function requireUnchanged(tx: Executor, actor: Actor, passwordHash?: string): Promise<void> {
  const [user] = await tx
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(and(eq(users.id, actor.userId), eq(users.status, 'Active'), isNull(users.deletedAt)))
    .for('no key update');
  // A separate statement, which sees changes that were committed while the first one waited for the lock.
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
    throw new AppError('unauthenticated', signedOutMessage);
  }
}

/**
 * Checks the password of a signed-in user again; the session then has a recent authentication for five minutes. Limited
 * like sign-in.
 * @throws AppError invalid_input with `fields.password` for a wrong password, rate_limited after too many attempts,
 * unauthenticated when the password was changed or the session ended in the meantime
 */
export async function reauthenticate(actor: Actor, password: string): Promise<void> {
  const checked = await requirePassword(actor, password, 'password');
  await db().transaction(async (tx) => {
    await requireUnchanged(tx, actor, checked);
    await recordReauthentication(tx, actor, 'the password');
  });
}

/**
 * Reauthenticates with one of the user's passkeys, with user verification.
 * @throws AppError unauthenticated when it is not accepted, or the session ended in the meantime
 */
export async function reauthenticateWithPasskey(actor: Actor, response: PasskeyAssertion): Promise<void> {
  const name = await confirmWithPasskey(actor, response);
  await db().transaction(async (tx) => {
    await requireUnchanged(tx, actor);
    await recordReauthentication(tx, actor, `the passkey "${name}"`);
  });
}

/**
 * Records a recent authentication in the actor's session; the caller has checked the proof.
 * @param proof the proof as named in the audit log, e.g. "the password"
 */
async function recordReauthentication(tx: Executor, actor: Actor, proof: string): Promise<void> {
  await tx
    .update(sessions)
    .set({ authenticatedAt: sql`now()` })
    .where(and(eq(sessions.id, actor.sessionId), eq(sessions.userId, actor.userId)));
  await recordUserAudit(tx, actor, 'session.reauthenticated', `${actor.email} confirmed their identity with ${proof}.`);
}
