import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { recordUserAudit } from '@/lib/platform/audit/record';
import { consumeLimit, refundAttempt } from '@/lib/platform/rate-limits/consume';
import { openSecret } from '@/lib/platform/secrets';
import { ownPasswordInput, type PasskeyAssertion } from './contract';
import { confirmWithPasskey } from './passkey-requests';
import { requirePassword } from './recent-authentication';
import { consumeRecoveryCode, countRecoveryCodes } from './recovery-codes';
import { recordSignInFailure } from './sign-in-failures';
import { findTotpStep, stepSeconds, totpSlot } from './totp';
import { hasSecondFactor } from './two-step';

/**
 * Checks the code of an account with two-step sign-in: a code of the authenticator app, each step only once, or an
 * unused recovery code, whose use is recorded in the audit log.
 *
 * The probability of guessing a code stays below 1 in 10,000 a month. At any moment 3 of 1,000,000 codes are valid
 * (`acceptedSteps` of totp.ts), and `limits.secondFactor` allows 16 wrong codes per account in a window of 30 days,
 * from all addresses and sessions. A correct code does not reset the count. Any 30 days overlap at most two windows, so
 * that at most 32 guesses are checked: 32 × 3 / 1,000,000 = 0.96 / 10,000.
 *
 * The limit does not lock the owner out: beyond it two consecutive codes are required, which only the app can generate
 * (a guess succeeds in 3 of 10^12 cases), and recovery codes (80 random bits) and passkeys continue to work.
 * @param actor the user, whose password was correct
 * @param sealedSecret the encrypted secret of the authenticator app
 * @throws AppError unauthenticated with `fields.code`, for which the form prompts; rate_limited for a single code
 * beyond the limit
 */
export async function checkSecondFactor(actor: Actor, sealedSecret: string | null, code: string): Promise<void> {
  if (code === '') {
    throw refused(
      sealedSecret ? 'Enter the code from your authenticator app.' : 'Use a passkey, or enter a recovery code.',
    );
  }
  const digits = code.replace(/\s/g, '');
  const isSingle = /^\d{6}$/.test(digits);
  if (!isSingle && !/^\d{12}$/.test(digits)) return consumeRecovery(actor, code);
  const limited = { account: actor.userId, address: '' };
  if (isSingle) await consumeLimit('secondFactor', limited).catch(requireTwoCodes);
  const secret = sealedSecret && openSecret(totpSlot(actor.userId), sealedSecret);
  const step = secret ? findStep(secret, digits) : null;
  if (step === null) throw refused('That code is incorrect. Enter the current one.');
  await consumeStep(actor.userId, step);
  if (isSingle) await refundAttempt('secondFactor', limited);
}

/** Returns the step of a code, or the later step of two consecutive codes; null when the code is wrong. */
function findStep(secret: string, digits: string): number | null {
  const first = findTotpStep(secret, digits.slice(0, 6));
  if (first === null || digits.length === 6) return first;
  const second = findTotpStep(secret, digits.slice(6), (first + 1) * stepSeconds * 1000);
  return second === first + 1 ? second : null;
}

function requireTwoCodes(thrown: unknown): never {
  if (!(thrown instanceof AppError) || thrown.code !== 'rate_limited') throw thrown;
  const message =
    'Too many attempts. Wait for the next code in your app and enter both codes, the earlier one first, or use a recovery code.';
  throw new AppError('rate_limited', message, { retryAfterSeconds: stepSeconds });
}

async function consumeStep(userId: string, step: number): Promise<void> {
  const claimed = await db()
    .update(users)
    .set({ totpLastStep: step })
    .where(and(eq(users.id, userId), or(isNull(users.totpLastStep), lt(users.totpLastStep, step))))
    .returning({ id: users.id });
  if (claimed.length === 0) throw refused('That code was already used. Wait for the next one.');
}

async function consumeRecovery(actor: Actor, code: string): Promise<void> {
  await db().transaction(async (tx) => {
    if (!(await consumeRecoveryCode(tx, actor.userId, code))) {
      throw refused('That code is incorrect. Enter the current one.');
    }
    const left = await countRecoveryCodes(tx, actor.userId);
    await recordUserAudit(
      tx,
      actor,
      'user.recovery_code_used',
      `${actor.email} used a recovery code instead of the authenticator; ${left} are left.`,
    );
  });
}

const refused = (message: string) => new AppError('unauthenticated', message, { fields: { code: message } });

/** The fields of a request that proves the identity of its user: the password, and the code of an account that has one. */
export const ownProofFields = {
  password: ownPasswordInput.shape.password,
  code: z
    .string()
    .trim()
    .max(40)
    .default('')
    .describe('The code of the authenticator app or a recovery code, if two-step sign-in is on.'),
};

/** A passkey with user verification (PIN, fingerprint) replaces both the password and the code. */
export type OwnProof = { password: string; code: string } | { passkey: PasskeyAssertion };

/** Reads whether an account has a second factor, and whether passkeys are among its factors. */
export async function getOwnFactors(userId: string): Promise<{ hasSecondFactor: boolean; hasPasskeys: boolean }> {
  const [user] = await selectFactors(userId);
  return { hasSecondFactor: user?.hasSecondFactor ?? false, hasPasskeys: user?.hasPasskeys ?? false };
}

/**
 * Checks both factors of a signed-in user within the request, for a change that neither a stolen cookie nor a password
 * alone must allow. An account without a second factor has the password only.
 * @returns the verified hash for `requireUnchanged` in the transaction; undefined for a passkey
 * @throws AppError invalid_input with `fields.password` or `fields.code`, unauthenticated for a passkey that is not
 * accepted, rate_limited after too many attempts
 */
export async function requireBothFactors(actor: Actor, proof: OwnProof): Promise<string | undefined> {
  if ('passkey' in proof) {
    await confirmWithPasskey(actor, proof.passkey);
    return undefined;
  }
  const passwordHash = await requirePassword(actor, proof.password, 'password');
  const [user] = await selectFactors(actor.userId);
  if (user?.hasSecondFactor) {
    await checkSecondFactor(actor, user.totpSecret, proof.code).catch((thrown: unknown) => {
      throw toFieldError(actor, proof.code, thrown);
    });
  }
  return passwordHash;
}

/** Turns a wrong code into an error of its field: unlike at sign-in, it does not mean that the user is signed out. */
function toFieldError(actor: Actor, code: string, thrown: unknown): unknown {
  if (!(thrown instanceof AppError) || thrown.code !== 'unauthenticated') return thrown;
  if (code !== '') recordSignInFailure('confirmationCode', actor);
  return new AppError('invalid_input', thrown.message, thrown.details);
}

const selectFactors = (userId: string) =>
  db()
    .select({
      hasSecondFactor,
      hasPasskeys: sql<boolean>`exists (select from passkeys where passkeys.user_id = users.id)`,
      // The secret of a setup that was not confirmed is no factor.
      totpSecret: sql<string | null>`case when ${users.totpEnabledAt} is not null then ${users.totpSecret} end`,
    })
    .from(users)
    .where(eq(users.id, userId));
