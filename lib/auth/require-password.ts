import { eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { users } from '../../db/schema/users';
import { AppError } from '../errors';
import { consumeLimit, forgiveLimit } from '../limits/consume';
import type { Actor } from './actor';
import { verifyPassword } from './password';
import { noteSignInFailure } from './sign-in-failures';

/**
 * Asks a signed-in person for the password once more, before what a stolen cookie must not do. Limited like sign-in.
 * @param field the name of the form's field, for the message under it
 * @returns the hash that was checked, for `requireUnchanged` once the writing begins
 * @throws AppError invalid_input for a wrong password, rate_limited after too many
 */
export async function requirePassword(actor: Actor, password: string, field: string): Promise<string> {
  const limited = { account: actor.userId, address: actor.ip };
  await consumeLimit('password', limited).catch((thrown: unknown) => {
    if (thrown instanceof AppError) noteSignInFailure('confirmationLocked', actor);
    throw thrown;
  });
  const [user] = await db().select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, actor.userId));
  const isRight = await verifyPassword(user?.passwordHash ?? null, password);
  if (!user || !isRight) {
    noteSignInFailure('confirmation', actor);
    const message = field === 'current' ? 'The current password is not right.' : 'The password is not right.';
    throw new AppError('invalid_input', message, { fields: { [field]: message } });
  }
  await forgiveLimit('password', limited);
  return user.passwordHash;
}
