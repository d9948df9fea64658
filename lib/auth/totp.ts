import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { db } from '@/db/client';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { AppError, signedOutMessage } from '@/lib/errors';
import { queueAccountNotice } from '@/lib/mail/security-notices';
import { recordUserAudit } from '@/lib/platform/audit/record';
import { consumeLimit, resetLimit } from '@/lib/platform/rate-limits/consume';
import { openSecret, type SecretSlot, sealSecret } from '@/lib/platform/secrets';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { requirePassword, requireUnchanged } from './recent-authentication';
import { deleteOrphanedRecoveryCodes, replaceRecoveryCodes } from './recovery-codes';
import { requireRemainingFactor } from './two-step';

/** How long an unconfirmed secret is valid: others may have seen it on an unattended screen. */
const enrolmentSeconds = 15 * 60;

/**
 * Enables the authenticator app once a code proves that it has the secret.
 * @returns the recovery codes, shown only once
 * @throws AppError invalid_input for a wrong code, conflict when the setup was not started or has expired, rate_limited
 * after too many codes
 */
export async function confirmTotp(actor: Actor, code: string): Promise<{ recoveryCodes: string[] }> {
  const limited = { account: actor.userId, address: actor.ip };
  await consumeLimit('enrolment', limited);
  const confirmed = await confirmSetup(actor, code);
  await resetLimit('enrolment', limited);
  return confirmed;
}

async function confirmSetup(actor: Actor, code: string): Promise<{ recoveryCodes: string[] }> {
  return db().transaction(async (tx) => {
    const [user] = await tx
      .select({ totpSecret: users.totpSecret })
      .from(users)
      .where(
        and(
          eq(users.id, actor.userId),
          isNull(users.totpEnabledAt),
          gt(users.totpBegunAt, sql`now() - make_interval(secs => ${enrolmentSeconds})`),
        ),
      )
      .for('no key update');
    if (!user?.totpSecret) throw new AppError('conflict', 'There is no setup to confirm. Start again.');
    const step = findTotpStep(openSecret(totpSlot(actor.userId), user.totpSecret), code);
    if (step === null) {
      const message = 'That code is incorrect. Enter the current one.';
      throw new AppError('invalid_input', message, { fields: { code: message } });
    }
    await tx.update(users).set({ totpEnabledAt: sql`now()`, totpLastStep: step }).where(eq(users.id, actor.userId));
    const recoveryCodes = await replaceRecoveryCodes(tx, actor.userId);
    await recordUserAudit(tx, actor, 'user.totp_enabled', `${actor.email} turned two-step sign-in on.`);
    await queueAccountNotice(tx, actor.email, {
      subject: 'Two-step sign-in was turned on',
      text: 'Signing in to your account now requires a code in addition to the password.',
      from: actor.ip,
    });
    return { recoveryCodes };
  });
}

/**
 * Starts the setup of an authenticator app, with the password: a stolen cookie alone must not lock the owner out.
 * Sign-in requires no code before `confirmTotp`.
 * @returns the secret for typing and the otpauth:// URI for the QR code
 * @throws AppError conflict when an app is already set up, invalid_input for a wrong password, rate_limited after too
 * many attempts, unauthenticated when the password was reset in the meantime
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
    if (user?.passwordHash !== checked) throw new AppError('unauthenticated', signedOutMessage);
    if (user.totpEnabledAt) throw new AppError('conflict', 'Two-step sign-in is already on.');
    await tx
      .update(users)
      .set({ totpSecret: sealSecret(totpSlot(actor.userId), secret), totpBegunAt: sql`now()` })
      .where(eq(users.id, actor.userId));
    return { secret, uri: totpUri(secret, actor.email, (await getBranding(tx)).siteName) };
  });
}

/** RFC 6238 with the parameters that all authenticator apps support: SHA-1, 6 digits, 30 seconds. */
export const stepSeconds = 30;

/** The accepted clock difference in steps, in either direction. */
const maxDriftSteps = 1;

/** The number of valid codes at any moment. */
export const acceptedSteps = 2 * maxDriftSteps + 1;

const generator = (secret: string, label = '', issuer = '') =>
  new TOTP({ secret: Secret.fromBase32(secret), label, issuer, digits: 6, period: stepSeconds, algorithm: 'SHA1' });

/** Creates a secret of 160 bits in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** Builds the otpauth:// URI for the QR code. */
export function totpUri(secret: string, account: string, issuer: string): string {
  return generator(secret, account, issuer).toString();
}

/**
 * Finds the time step of a code.
 * @param now milliseconds since 1970
 * @returns the 30-second step, or null when the code is wrong or too old; the caller must accept each step only once
 */
export function findTotpStep(secret: string, code: string, now = Date.now()): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const delta = generator(secret).validate({ token: code, timestamp: now, window: maxDriftSteps });
  return delta === null ? null : Math.floor(now / 1000 / stepSeconds) + delta;
}

/** Binds the encrypted secret of an authenticator app to its user. */
export const totpSlot = (userId: string): SecretSlot => ({ provider: 'totp', mode: userId, field: 'secret' });

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
    await recordUserAudit(tx, actor, 'user.totp_disabled', `${actor.email} turned two-step sign-in off.`);
    await queueAccountNotice(tx, actor.email, {
      subject: 'Two-step sign-in was turned off',
      text: 'Signing in to your account now requires only the password.',
      from: actor.ip,
    });
  });
}
