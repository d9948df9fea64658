import { createHash, randomBytes } from 'node:crypto';
import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server';
import { decodeClientDataJSON } from '@simplewebauthn/server/helpers';
import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { type ChallengePurpose, passkeyChallenges, passkeys } from '@/db/schema/passkeys';
import { type Actor, type AnyActor, systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';
import type { PasskeyAssertion } from './contract';

/** PublicKeyCredentialRequestOptionsJSON, for the browser. */
export type PasskeyRequest = Awaited<ReturnType<typeof generateAuthenticationOptions>>;

type PasskeyContext = { purpose: Exclude<ChallengePurpose, 'enroll'>; userId: string | null };

/** Checks whether a passkey must verify the user: when it replaces both factors, but not after the password. */
const needsVerification = ({ purpose }: PasskeyContext) => purpose !== 'second-factor';

/**
 * Creates the options with which the browser requests a passkey.
 * @throws AppError conflict when the user has none
 */
export async function requestPasskey(context: PasskeyContext): Promise<PasskeyRequest> {
  const allowed = context.userId === null ? null : await listAllowed(context.userId);
  if (allowed?.length === 0) throw new AppError('conflict', 'This account has no passkey.');
  return generateAuthenticationOptions({
    rpID: relyingParty().rpID,
    challenge: await createChallenge(context.purpose, context.userId),
    userVerification: needsVerification(context) ? 'required' : 'preferred',
    ...(allowed && { allowCredentials: allowed }),
  });
}

function listAllowed(userId: string): Promise<{ id: string; transports: string[] }[]> {
  return db()
    .select({ id: passkeys.credentialId, transports: passkeys.transports })
    .from(passkeys)
    .where(eq(passkeys.userId, userId));
}

/**
 * Verifies the response to `requestPasskey` (WebAuthn Level 3, section 7.2) and records its use. The challenge is
 * consumed in any case. A signature counter that did not increase indicates a cloned authenticator: the response is
 * rejected and recorded in the audit log.
 * @param caller the origin of the request, for the audit log
 * @throws AppError unauthenticated when the response is not accepted
 */
export async function verifyPasskey(
  caller: Pick<AnyActor, 'ip' | 'requestId'>,
  context: PasskeyContext,
  response: PasskeyAssertion,
): Promise<{ id: string; userId: string; name: string }> {
  const challenge = parseChallenge(response);
  if (!(await consumeChallenge(context.purpose, context.userId, challenge))) {
    throw refused('The passkey request timed out or was already used. Please try again.');
  }
  const [passkey] = await db().select().from(passkeys).where(eq(passkeys.credentialId, response.id));
  if (!passkey || (context.userId !== null && passkey.userId !== context.userId)) {
    throw refused('This passkey does not belong to any account. It may have been removed.');
  }
  const { userHandle } = response.response;
  if (userHandle && Buffer.from(userHandle, 'base64url').toString() !== passkey.userId) throw passkeyRejectedError();
  const { rpID, expectedOrigin } = relyingParty();
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin,
    expectedRPID: rpID,
    requireUserVerification: needsVerification(context),
    // Zero: the counter is compared below, where a regression is recorded.
    credential: { id: passkey.credentialId, publicKey: decodeBase64url(passkey.publicKey), counter: 0 },
  }).catch(() => null);
  if (!verified?.verified) throw passkeyRejectedError();
  const { newCounter, credentialBackedUp } = verified.authenticationInfo;
  const isNext = newCounter === 0 ? eq(passkeys.counter, 0) : lt(passkeys.counter, newCounter);
  const used = await db()
    .update(passkeys)
    .set({ counter: newCounter, isBackedUp: credentialBackedUp, lastUsedAt: sql`now()` })
    .where(and(eq(passkeys.id, passkey.id), isNext))
    .returning({ id: passkeys.id });
  if (used.length === 0) {
    await recordRegression(caller, passkey, newCounter);
    throw refused('This passkey may be a copy: its counter is out of order. Sign in another way and remove it.');
  }
  return passkey;
}

/** Requests one of the signed-in user's passkeys; `confirmWithPasskey` verifies the response. */
export function requestConfirmation(actor: Actor): Promise<PasskeyRequest> {
  return requestPasskey({ purpose: 'confirm', userId: actor.userId });
}

/**
 * Verifies the passkey of a signed-in user, with user verification (PIN, fingerprint).
 * @returns the name of the passkey, for the audit log
 * @throws AppError unauthenticated when it is not accepted
 */
export async function confirmWithPasskey(actor: Actor, response: PasskeyAssertion): Promise<string> {
  return (await verifyPasskey(actor, { purpose: 'confirm', userId: actor.userId }, response)).name;
}

/** Reads the challenge of a response. @throws AppError unauthenticated for invalid client data */
export function parseChallenge({ response }: { response: { clientDataJSON: string } }): string {
  try {
    return String(decodeClientDataJSON(response.clientDataJSON).challenge);
  } catch {
    throw passkeyRejectedError();
  }
}

const decodeBase64url = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));

async function recordRegression(
  { ip, requestId }: Pick<AnyActor, 'ip' | 'requestId'>,
  { id, userId, name, counter }: typeof passkeys.$inferSelect,
  newCounter: number,
): Promise<void> {
  await db().transaction((tx) =>
    recordAudit(tx, systemActor(systemActors.passkeyCheck, 'web', { ip, requestId }), {
      action: 'passkey.counter_regressed',
      details: `The passkey "${name}" sent the counter ${newCounter} after ${counter}; it was refused.`,
      entityType: 'user',
      entityId: userId,
      after: { passkeyId: id },
    }),
  );
}

const refused = (message: string) => new AppError('unauthenticated', message);
export const passkeyRejectedError = () => refused('The passkey was not accepted. Please try again.');

/** The time limit of the browser's prompt. */
export const challengeSeconds = 5 * 60;

const hashOf = (challenge: Uint8Array) => createHash('sha256').update(challenge).digest('hex');

/** Returns the relying party: the host name of APP_URL, and its origin. */
export function relyingParty(): { rpID: string; expectedOrigin: string } {
  const { hostname, origin } = new URL(env().APP_URL);
  return { rpID: hostname, expectedOrigin: origin };
}

/**
 * Creates a challenge for a purpose and user. Only its hash is stored; expired challenges are deleted.
 * @param userId null when the passkey identifies the user
 */
export async function createChallenge(
  purpose: ChallengePurpose,
  userId: string | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(32));
  await db().delete(passkeyChallenges).where(lt(passkeyChallenges.expiresAt, sql`now()`));
  await db()
    .insert(passkeyChallenges)
    .values({
      id: hashOf(challenge),
      purpose,
      userId,
      expiresAt: sql`now() + make_interval(secs => ${challengeSeconds})`,
    });
  return challenge;
}

/**
 * Consumes a challenge, whether or not the response is valid. Of concurrent calls only one succeeds.
 * @param challenge base64url, as the browser returned it
 * @returns false when it is unknown, used, expired or belongs to another purpose or user
 */
export async function consumeChallenge(
  purpose: ChallengePurpose,
  userId: string | null,
  challenge: string,
): Promise<boolean> {
  const used = await db()
    .delete(passkeyChallenges)
    .where(
      and(
        eq(passkeyChallenges.id, hashOf(new Uint8Array(Buffer.from(challenge, 'base64url')))),
        eq(passkeyChallenges.purpose, purpose),
        userId === null ? isNull(passkeyChallenges.userId) : eq(passkeyChallenges.userId, userId),
        gt(passkeyChallenges.expiresAt, sql`now()`),
      ),
    )
    .returning({ id: passkeyChallenges.id });
  return used.length === 1;
}
