import { eq, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { users } from '../../db/schema/users';
import { recordAudit } from '../audit/record';
import { AppError } from '../errors';
import { forgiveLimit } from '../limits/consume';
import { queueAccountNotice } from '../mail/security-notices';
import type { AnyActor } from './actor';
import { hashChosenPassword } from './choose-password';
import { consumeEmailToken, findEmailTokenOwner, retireEmailTokens } from './email-token';
import { endAllSessions } from './end-all-sessions';

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
