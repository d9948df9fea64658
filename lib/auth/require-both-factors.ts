import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { checkSecondFactor } from './check-second-factor';
import { confirmWithPasskey } from './passkey-requests';
import type { PasskeyAssertion } from './passkey-schemas';
import { requirePassword } from './require-recent-authentication';
import { ownPasswordInput } from './schemas';
import { recordSignInFailure } from './sign-in-failures';
import { hasSecondFactor } from './two-step';

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

/** Unlike at sign-in, a wrong code does not mean that the user is signed out. */
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
