import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { createElement } from 'react';
import { db } from '../../db/client';
import { users } from '../../db/schema/users';
import type { AnyActor } from '../access/actor';
import { isSellerRole } from '../access/permissions';
import { env } from '../env';
import { AppError } from '../errors';
import { queueMail } from '../mail/compose';
import { queueAccountNotice } from '../mail/security-notices';
import { ResetPasswordMail } from '../mail/templates/account';
import { recordAudit } from '../platform/audit/record';
import { forgiveLimit } from '../platform/rate-limits/consume';
import { hashChosenPassword } from './choose-password';
import {
  consumeEmailToken,
  createEmailToken,
  emailTokenSeconds,
  findEmailTokenOwner,
  retireEmailTokens,
} from './email-token';
import { endAllSessions } from './end-sessions';

/**
 * Sets a new password by a mailed link, once, and ends every session and every other reset link of the account. Whoever has the link has the
 * mailbox, so a Pending account is verified by it as well.
 * @throws AppError invalid_input when the link is unknown, used, replaced or older than an hour, or the password is easy to guess
 */
export async function resetPassword(caller: AnyActor, token: string, password: string): Promise<void> {
  const worthless = new AppError('invalid_input', 'Reset failed. The link may have expired.');
  // Estimating and hashing take time on purpose: a guessed link must not cost it.
  const owner = await findEmailTokenOwner(token, 'reset-password');
  if (!owner) throw worthless;
  const passwordHash = await hashChosenPassword(password, owner);
  const email = await db().transaction(async (tx) => {
    const userId = await consumeEmailToken(tx, token, 'reset-password');
    if (!userId) throw worthless;
    // One that was being mailed at the same moment must not set another, nor a thief's change of address outlive it.
    await retireEmailTokens(tx, userId, 'reset-password', 'change-email');
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
    await recordAudit(tx, caller, {
      action: 'user.password_reset',
      details: `${user?.email} set a new password by mail; ${ended} sessions were ended.`,
      entityType: 'user',
      entityId: userId,
    });
    if (!user) throw worthless;
    await queueAccountNotice(tx, user.email, {
      subject: 'Your password was changed',
      text: 'A new password was set for your account by a mailed link, and all sessions were ended.',
      from: caller.ip,
    });
    return user.email;
  });
  // Whoever guessed the old password shall not keep the owner from using the new one.
  await forgiveLimit('signIn', { account: email, address: caller.ip });
}

/**
 * Mails a reset link if the address belongs to an account that may sign in or waits for its verification; says nothing
 * either way. Suspended and expired accounts get none: a new password would not let them in.
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
