import { and, eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { users } from '../../db/schema/users';
import { recordAudit } from '../audit/record';
import { AppError } from '../errors';
import { queueAccountNotice } from '../mail/security-notices';
import type { Actor } from './actor';
import { replaceRecoveryCodes } from './recovery-codes';
import { requirePassword } from './require-password';
import { requireUnchanged } from './require-unchanged';
import { hasSecondFactor } from './two-step';

/**
 * Makes ten new recovery codes with the password; all earlier ones stop working, used or not.
 * @returns the codes, shown this once
 * @throws AppError conflict while two-step sign-in is off, invalid_input for a wrong password, rate_limited after too
 * many tries, unauthenticated when the password was reset or the session ended meanwhile
 */
export async function renewRecoveryCodes(actor: Actor, password: string): Promise<{ recoveryCodes: string[] }> {
  const checked = await requirePassword(actor, password, 'password');
  return db().transaction(async (tx) => {
    // Locks the row, so that turning it off at the same moment leaves no codes behind.
    await requireUnchanged(tx, actor, checked);
    const [user] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, actor.userId), hasSecondFactor));
    if (!user) throw new AppError('conflict', 'Two-step sign-in is off: there are no recovery codes to renew.');
    const recoveryCodes = await replaceRecoveryCodes(tx, actor.userId);
    await recordAudit(tx, actor, {
      action: 'user.recovery_codes_renewed',
      details: `${actor.email} made new recovery codes; the earlier ones no longer work.`,
      entityType: 'user',
      entityId: actor.userId,
    });
    await queueAccountNotice(tx, actor.email, {
      subject: 'New recovery codes were made',
      text: 'New recovery codes were made for your account. The earlier ones no longer work.',
      from: actor.ip,
    });
    return { recoveryCodes };
  });
}
