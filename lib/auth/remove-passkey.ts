import { and, eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { passkeys } from '../../db/schema/passkeys';
import { recordAudit } from '../audit/record';
import { AppError } from '../errors';
import type { Actor } from './actor';
import { queuePasskeyNotice } from './passkey-mail';
import { removeUnusedRecoveryCodes } from './recovery-codes';
import { requirePassword } from './require-password';
import { requireUnchanged } from './require-unchanged';
import { requireFactorLeft } from './two-step-rule';

/**
 * Removes one of a person's passkeys, with the password, and mails the person. With the last second factor the recovery
 * codes go too.
 * @throws AppError conflict for the last factor where the role requires one, not_found for a passkey that is not
 *   theirs, invalid_input for a wrong password, rate_limited after too many tries, unauthenticated when the password was
 *   reset or the session ended meanwhile
 */
export async function removePasskey(actor: Actor, passkeyId: string, password: string): Promise<void> {
  const checked = await requirePassword(actor, password, 'password');
  await db().transaction(async (tx) => {
    await requireUnchanged(tx, actor, checked);
    const [removed] = await tx
      .delete(passkeys)
      .where(and(eq(passkeys.id, passkeyId), eq(passkeys.userId, actor.userId)))
      .returning({ name: passkeys.name });
    if (!removed) throw new AppError('not_found', 'This passkey was removed already.');
    await requireFactorLeft(tx, actor.userId);
    await removeUnusedRecoveryCodes(tx, actor.userId);
    await queuePasskeyNotice(tx, { to: actor.email, name: removed.name, change: 'removed' });
    await recordAudit(tx, actor, {
      action: 'user.passkey_removed',
      details: `${actor.email} removed the passkey "${removed.name}".`,
      entityType: 'user',
      entityId: actor.userId,
    });
  });
}
