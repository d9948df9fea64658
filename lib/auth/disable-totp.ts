import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { queueAccountNotice } from '@/lib/mail/security-notices';
import { recordAudit } from '@/lib/platform/audit/record';
import { deleteOrphanedRecoveryCodes } from './recovery-codes';
import { requirePassword, requireUnchanged } from './require-recent-authentication';
import { requireRemainingFactor } from './two-step-rule';

/**
 * Disables the authenticator app, with the password.
 * @throws AppError conflict for the last factor when the role requires one, invalid_input for a wrong password,
 * rate_limited after too many attempts, unauthenticated when the password was reset or the session ended in the
 * meantime
 */
export async function disableTotp(actor: Actor, password: string): Promise<void> {
  const checked = await requirePassword(actor, password, 'password');
  await db().transaction(async (tx) => {
    await requireUnchanged(tx, actor, checked);
    await tx
      .update(users)
      .set({ totpSecret: null, totpBegunAt: null, totpEnabledAt: null, totpLastStep: null })
      .where(eq(users.id, actor.userId));
    await requireRemainingFactor(tx, actor.userId);
    await deleteOrphanedRecoveryCodes(tx, actor.userId);
    await recordAudit(tx, actor, {
      action: 'user.totp_disabled',
      details: `${actor.email} turned two-step sign-in off.`,
      entityType: 'user',
      entityId: actor.userId,
    });
    await queueAccountNotice(tx, actor.email, {
      subject: 'Two-step sign-in was turned off',
      text: 'Signing in to your account now requires only the password.',
      from: actor.ip,
    });
  });
}
