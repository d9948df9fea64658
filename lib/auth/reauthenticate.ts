import { and, eq, sql } from 'drizzle-orm';
import { db, type Executor } from '../../db/client';
import { sessions } from '../../db/schema/users';
import type { Actor } from '../access/actor';
import { recordAudit } from '../platform/audit/record';
import { confirmWithPasskey } from './passkey-requests';
import type { PasskeyAssertion } from './passkey-schemas';
import { requirePassword, requireUnchanged } from './require-recent-authentication';

/**
 * Checks the password of a signed-in person once more, which opens what needs a recent authentication for five minutes
 * in this session. Limited like the sign-in.
 * @throws AppError invalid_input with `fields.password` for a wrong password, rate_limited after too many,
 * unauthenticated when the password was changed or the session ended meanwhile
 */
export async function reauthenticate(actor: Actor, password: string): Promise<void> {
  const checked = await requirePassword(actor, password, 'password');
  await db().transaction(async (tx) => {
    await requireUnchanged(tx, actor, checked);
    await recordReauthentication(tx, actor, 'the password');
  });
}

/**
 * The same with a passkey of the person's, which has verified the person.
 * @throws AppError unauthenticated when it is not accepted, or the session ended meanwhile
 */
export async function reauthenticateWithPasskey(actor: Actor, response: PasskeyAssertion): Promise<void> {
  const name = await confirmWithPasskey(actor, response);
  await db().transaction(async (tx) => {
    await requireUnchanged(tx, actor);
    await recordReauthentication(tx, actor, `the passkey "${name}"`);
  });
}

/**
 * Notes in the actor's session that they proved who they are; the caller has checked the proof.
 * @param proof as the audit log names it, e.g. "the password"
 */
async function recordReauthentication(tx: Executor, actor: Actor, proof: string): Promise<void> {
  await tx
    .update(sessions)
    .set({ authenticatedAt: sql`now()` })
    .where(and(eq(sessions.id, actor.sessionId), eq(sessions.userId, actor.userId)));
  await recordAudit(tx, actor, {
    action: 'session.reauthenticated',
    details: `${actor.email} confirmed who they are with ${proof}.`,
    entityType: 'user',
    entityId: actor.userId,
  });
}
