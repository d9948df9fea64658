import { and, eq, isNull, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { users } from '../../db/schema/users';
import { AppError } from '../errors';
import { sealSecret } from '../payments/secrets';
import { getBranding } from '../settings/get-branding';
import type { Actor } from './actor';
import { requirePassword } from './require-password';
import { newTotpSecret, totpUri } from './totp-code';
import { totpSlot } from './totp-slot';

/**
 * Starts the enrolment of an authenticator app with the password: with a cookie alone nobody shall lock the owner out.
 * Nothing is asked at sign-in before `confirmTotp`.
 * @returns the secret for typing and the otpauth:// address for the QR code
 * @throws AppError conflict when one is enrolled already, invalid_input for a wrong password, rate_limited after too
 * many tries, unauthenticated when the password was reset meanwhile
 */
export async function beginTotp(actor: Actor, password: string): Promise<{ secret: string; uri: string }> {
  const checked = await requirePassword(actor, password, 'password');
  const secret = newTotpSecret();
  return db().transaction(async (tx) => {
    const [user] = await tx
      .select({ passwordHash: users.passwordHash, totpEnabledAt: users.totpEnabledAt })
      .from(users)
      .where(and(eq(users.id, actor.userId), isNull(users.deletedAt)))
      .for('no key update');
    if (user?.passwordHash !== checked) throw new AppError('unauthenticated', 'Please sign in to continue.');
    if (user.totpEnabledAt) throw new AppError('conflict', 'Two-step sign-in is already on.');
    await tx
      .update(users)
      .set({ totpSecret: sealSecret(totpSlot(actor.userId), secret), totpBegunAt: sql`now()` })
      .where(eq(users.id, actor.userId));
    return { secret, uri: totpUri(secret, actor.email, (await getBranding(tx)).siteName) };
  });
}
