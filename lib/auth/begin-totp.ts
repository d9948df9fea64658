import { and, eq, isNull } from 'drizzle-orm';
import { db } from '../../db/client';
import { users } from '../../db/schema/users';
import { AppError } from '../errors';
import { sealSecret } from '../payments/secrets';
import { defaultBranding } from '../settings/branding';
import type { Actor } from './actor';
import { newTotpSecret, totpUri } from './totp-code';
import { totpSlot } from './totp-slot';

/**
 * Starts the enrolment of an authenticator app: nothing is asked at sign-in before `confirmTotp`.
 * @returns the secret for typing and the otpauth:// address for the QR code
 * @throws AppError conflict when one is enrolled already
 */
export async function beginTotp(actor: Actor): Promise<{ secret: string; uri: string }> {
  const secret = newTotpSecret();
  const changed = await db()
    .update(users)
    .set({ totpSecret: sealSecret(totpSlot(actor.userId), secret) })
    .where(and(eq(users.id, actor.userId), isNull(users.totpEnabledAt)))
    .returning({ id: users.id });
  if (changed.length === 0) throw new AppError('conflict', 'Two-step sign-in is already on.');
  return { secret, uri: totpUri(secret, actor.email, defaultBranding.siteName) };
}
