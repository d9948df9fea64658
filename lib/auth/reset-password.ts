import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { createElement } from 'react';
import { db } from '@/db/client';
import { users } from '@/db/schema/users';
import type { AnyActor } from '@/lib/access/actor';
import { isSellerRole } from '@/lib/access/permissions';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { queueMail } from '@/lib/mail/compose';
import { queueRecoveryNotice } from '@/lib/mail/security-notices';
import { ResetPasswordMail } from '@/lib/mail/templates/account';
import { recordUserAudit } from '@/lib/platform/audit/record';
import { resetLimit } from '@/lib/platform/rate-limits/consume';
import {
  consumeEmailToken,
  createEmailToken,
  emailTokenSeconds,
  findEmailTokenOwner,
  invalidateEmailTokens,
} from './email-token';
import { hashChosenPassword } from './password';
import { endAllSessions, revokeProgramAccess } from './revoke-access';

/**
 * Sets a new password with a mailed link, once, and ends all sessions and all other reset links of the account. The
 * link proves access to the mailbox, so it also verifies a Pending account.
 * @throws AppError invalid_input when the link is unknown, used, replaced or older than an hour, or the password is
 * easy to guess
 */
export async function resetPassword(caller: AnyActor, token: string, password: string): Promise<void> {
  const resetError = new AppError('invalid_input', 'Reset failed. The link may have expired.');
  // Checked first: estimating and hashing are slow on purpose and must not run for a guessed link.
  const owner = await findEmailTokenOwner(token, 'reset-password');
  if (!owner) throw resetError;
  const passwordHash = await hashChosenPassword(password, owner);
  const email = await db().transaction(async (tx) => {
    const userId = await consumeEmailToken(tx, token, 'reset-password');
    if (!userId) throw resetError;
    // Invalidates a link that is being mailed concurrently, and a change of address that an attacker requested.
    await invalidateEmailTokens(tx, userId, 'reset-password', 'change-email');
    const [user] = await tx
      .update(users)
      .set({
        passwordHash,
        emailVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, now())`,
        status: sql`case when ${users.status} = 'Pending' then 'Active' else ${users.status} end`,
      })
      .where(eq(users.id, userId))
      .returning({ email: users.email });
    const ended = await endAllSessions(tx, userId);
    await revokeProgramAccess(tx, caller, userId);
    await recordUserAudit(
      tx,
      caller,
      'user.password_reset',
      `${user?.email} set a new password by email; ${ended} sessions were ended.`,
      userId,
    );
    if (!user) throw resetError;
    await queueRecoveryNotice(
      tx,
      { userId, email: user.email },
      {
        subject: 'Your password was changed',
        text: 'A new password was set for your account with an emailed link, and all sessions were ended.',
        from: caller.ip,
      },
    );
    return user.email;
  });
  // Failed attempts with the old password must not lock the owner out.
  await resetLimit('signIn', { account: email, address: caller.ip });
}

/**
 * Mails a reset link when the address belongs to an Active or Pending account; the result is the same for any address.
 * Suspended and expired accounts receive none, because they cannot sign in, and invited ones none, because an invitation
 * can expire or be revoked.
 */
export async function requestReset(email: string): Promise<void> {
  await db().transaction(async (tx) => {
    const [user] = await tx
      .select({ id: users.id, email: users.email, role: users.role })
      .from(users)
      .where(
        and(
          eq(sql`lower(${users.email})`, email.toLowerCase()),
          inArray(users.status, ['Active', 'Pending']),
          isNull(users.invitedAt),
          isNull(users.deletedAt),
        ),
      );
    if (!user) return;
    const token = await createEmailToken(tx, user.id, 'reset-password');
    const page = isSellerRole(user.role) ? '/seller/forgot' : '/user/forgot';
    await queueMail(tx, {
      kind: 'reset-password',
      to: user.email,
      subject: 'Set a new password',
      body: (context) =>
        createElement(ResetPasswordMail, { ...context, url: `${env().APP_URL}${page}?token=${token}` }),
      expiresInSeconds: emailTokenSeconds['reset-password'],
    });
  });
}
