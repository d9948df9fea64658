import { eq, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { setPassword } from '@/lib/auth/change-password';
import { hashChosenPassword } from '@/lib/auth/password';
import { requirePassword, requireUnchanged } from '@/lib/auth/recent-authentication';
import { recordAudit, recordUserAudit } from '@/lib/platform/audit/record';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { queueEmailChange, queueEmailNotice } from './confirm-email-change';
import type { ProfileInput } from './contract';

/**
 * Saves the user's profile. A new name takes effect immediately. A new password or address requires the current
 * password; the address changes after its confirmation, and the old one is notified.
 * @returns the address that is waiting for confirmation, or null
 * @throws AppError invalid_input when the current password is missing or wrong or the new one is easy to guess,
 * rate_limited after too many attempts or mails, unauthenticated when the password was reset or the session ended in
 * the meantime
 */
export async function saveProfile(
  actor: Actor,
  { name, email, current, password }: ProfileInput,
): Promise<{ confirmEmail: string | null }> {
  const newEmail = email.toLowerCase() === actor.email.toLowerCase() ? null : email;
  const checked = newEmail || password ? await requirePassword(actor, current, 'current') : null;
  if (newEmail) await consumeLimit('changeEmail', { account: actor.userId, address: actor.ip });
  const passwordHash = password ? await hashChosenPassword(password, { name, email }) : null;
  await db().transaction(async (tx) => {
    if (checked !== null) await requireUnchanged(tx, actor, checked);
    if (name !== actor.name) await rename(tx, actor, name);
    if (passwordHash !== null) await setPassword(tx, actor, passwordHash);
    // After the password, which cancels a pending change of address.
    if (newEmail) {
      await queueEmailChange(tx, actor.userId, newEmail);
      await queueEmailNotice(tx, { to: actor.email, newEmail, isDone: false });
      await recordUserAudit(
        tx,
        actor,
        'user.email_change_requested',
        `${actor.email} requested the address ${newEmail}; a link was emailed to it.`,
      );
    }
  });
  return { confirmEmail: newEmail };
}

async function rename(tx: Executor, actor: Actor, name: string): Promise<void> {
  await tx
    .update(users)
    .set({ name, version: sql`${users.version} + 1` })
    .where(eq(users.id, actor.userId));
  await recordAudit(tx, actor, {
    action: 'user.renamed',
    details: `${actor.email} changed the name ${actor.name || 'empty'} → ${name}.`,
    entityType: 'user',
    entityId: actor.userId,
    before: { name: actor.name },
    after: { name },
  });
}
