import { eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { users } from '../../db/schema/users';
import { recordAudit } from '../audit/record';
import { AppError } from '../errors';
import { emailTaken, isEmailTaken } from '../users/email-taken';
import { lockPerson } from '../users/lock-person';
import type { AnyActor } from './actor';
import { queueEmailNotice } from './email-change-mail';
import { consumeEmailChange, retireEmailTokens } from './email-token';
import { endAllSessions } from './end-all-sessions';

/**
 * Makes the address that a link was mailed to the account's, once. Whoever has the link has the mailbox. Links mailed to
 * the old address stop working, every session but `keptSession` ends, and the old address is told.
 * @param keptSession the session of the request that confirms, if there is one; it counts only if it is the person's
 * @returns the new address
 * @throws AppError invalid_input when the link is unknown, used, replaced or older than a day, conflict when somebody
 * else's account has the address by now
 */
export async function confirmEmailChange(caller: AnyActor, token: string, keptSession = ''): Promise<string> {
  let wanted = '';
  const changing = db().transaction(async (tx) => {
    const change = await consumeEmailChange(tx, token);
    if (!change) {
      throw new AppError('invalid_input', 'This link does not work any more. Ask for a new one in Profile settings.');
    }
    const { userId, newEmail } = change;
    wanted = newEmail;
    const { email: before, version } = await lockPerson(tx, userId);
    await tx
      .update(users)
      .set({ email: newEmail, emailVerifiedAt: new Date(), version: version + 1 })
      .where(eq(users.id, userId));
    await retireEmailTokens(tx, userId, 'reset-password', 'verify-email', 'change-email');
    const ended = await endAllSessions(tx, userId, keptSession);
    await queueEmailNotice(tx, { to: before, newEmail, isDone: true });
    await recordAudit(tx, caller, {
      action: 'user.email_changed',
      details: `${before} confirmed the new address ${newEmail}; ${ended} sessions were ended.`,
      entityType: 'user',
      entityId: userId,
      before: { email: before },
      after: { email: newEmail },
    });
    return newEmail;
  });
  return changing.catch((thrown: unknown) => {
    throw isEmailTaken(thrown) ? emailTaken(wanted) : thrown;
  });
}
