import { eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { recoveryCodes, users } from '../../db/schema/users';
import { recordAudit } from '../audit/record';
import { AppError } from '../errors';
import type { Actor } from './actor';
import { verifyPassword } from './password';

/**
 * Turns two-step sign-in off, with the password.
 * @throws AppError invalid_input for a wrong password
 */
export async function disableTotp(actor: Actor, password: string): Promise<void> {
  const [user] = await db().select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, actor.userId));
  if (!(await verifyPassword(user?.passwordHash ?? null, password))) {
    throw new AppError('invalid_input', 'The password is not right.', {
      fields: { password: 'The password is not right.' },
    });
  }
  await db().transaction(async (tx) => {
    await tx
      .update(users)
      .set({ totpSecret: null, totpEnabledAt: null, totpLastStep: null })
      .where(eq(users.id, actor.userId));
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, actor.userId));
    await recordAudit(tx, actor, {
      action: 'user.totp_disabled',
      details: `${actor.email} turned two-step sign-in off.`,
      entityType: 'user',
      entityId: actor.userId,
    });
  });
}
