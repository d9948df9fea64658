import { and, eq, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { sessions } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { recordAudit } from '@/lib/platform/audit/record';
import { confirmWithPasskey } from './passkey-requests';
import type { PasskeyAssertion } from './passkey-schemas';
import { requirePassword, requireUnchanged } from './require-recent-authentication';

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
  await recordAudit(tx, actor, {
    action: 'session.reauthenticated',
    details: `${actor.email} confirmed their identity with ${proof}.`,
    entityType: 'user',
    entityId: actor.userId,
  });
}
