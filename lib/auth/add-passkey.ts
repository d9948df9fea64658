import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server';
import { eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { passkeys } from '../../db/schema/passkeys';
import { users } from '../../db/schema/users';
import { recordAudit } from '../audit/record';
import { AppError } from '../errors';
import { newId } from '../ids';
import { getBranding } from '../settings/get-branding';
import type { Actor } from './actor';
import { consumeChallenge, createChallenge, relyingParty } from './passkey-challenge';
import { queuePasskeyNotice } from './passkey-mail';
import type { PasskeyRegistration } from './passkey-schemas';
import { replaceRecoveryCodes } from './recovery-codes';
import { requirePassword } from './require-password';
import { requireUnchanged } from './require-unchanged';
import { hasSecondFactor } from './two-step';
import { challengeOf, notAccepted } from './verify-passkey';

/** How many a person may have. */
export const maxPasskeys = 10;

/** PublicKeyCredentialCreationOptionsJSON, for the browser. */
type PasskeyCreation = Awaited<ReturnType<typeof generateRegistrationOptions>>;

/**
 * Starts adding a passkey, with the password: a stolen cookie alone must not add a way to sign in.
 * @throws AppError invalid_input for a wrong password, rate_limited after too many tries, conflict for an eleventh
 */
export async function beginPasskey(actor: Actor, password: string): Promise<PasskeyCreation> {
  await requirePassword(actor, password, 'password');
  const own = await db()
    .select({ id: passkeys.credentialId, transports: passkeys.transports })
    .from(passkeys)
    .where(eq(passkeys.userId, actor.userId));
  if (own.length >= maxPasskeys) throw tooMany();
  return generateRegistrationOptions({
    rpName: (await getBranding()).siteName,
    rpID: relyingParty().rpID,
    userName: actor.email,
    userDisplayName: actor.name || actor.email,
    userID: new Uint8Array(Buffer.from(actor.userId)),
    challenge: await createChallenge('enroll', actor.userId),
    attestationType: 'none',
    excludeCredentials: own,
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/**
 * Keeps the passkey that the browser made for `beginPasskey` and mails the person. The first second factor of an account
 * comes with recovery codes.
 * @returns the recovery codes, shown this once; null where the account had a second factor already
 * @throws AppError unauthenticated when it is not accepted or the session ended meanwhile, conflict for an eleventh
 */
export async function addPasskey(
  actor: Actor,
  { name, response }: { name: string; response: PasskeyRegistration },
): Promise<{ recoveryCodes: string[] | null }> {
  const challenge = challengeOf(response);
  if (!(await consumeChallenge('enroll', actor.userId, challenge))) throw notAccepted();
  const { rpID, expectedOrigin } = relyingParty();
  const { transports, ...attestation } = response.response;
  const verified = await verifyRegistrationResponse({
    response: { ...response, response: attestation },
    expectedChallenge: challenge,
    expectedOrigin,
    expectedRPID: rpID,
    requireUserVerification: false,
  }).catch(() => null);
  if (!verified?.verified) throw notAccepted();
  const { credential, credentialBackedUp } = verified.registrationInfo;
  return db().transaction(async (tx) => {
    await requireUnchanged(tx, actor);
    const [person] = await tx.select({ hadFactor: hasSecondFactor }).from(users).where(eq(users.id, actor.userId));
    const own = await tx.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, actor.userId));
    if (own.length >= maxPasskeys) throw tooMany();
    const added = await tx
      .insert(passkeys)
      .values({
        id: newId(),
        userId: actor.userId,
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports,
        isBackedUp: credentialBackedUp,
        name,
      })
      .onConflictDoNothing()
      .returning({ id: passkeys.id });
    if (added.length === 0) throw new AppError('conflict', 'This passkey was added already.');
    const recoveryCodes = person?.hadFactor ? null : await replaceRecoveryCodes(tx, actor.userId);
    await queuePasskeyNotice(tx, { to: actor.email, name, change: 'added' });
    await recordAudit(tx, actor, {
      action: 'user.passkey_added',
      details: `${actor.email} added the passkey "${name}".`,
      entityType: 'user',
      entityId: actor.userId,
    });
    return { recoveryCodes };
  });
}

const tooMany = () =>
  new AppError('conflict', `You have ${maxPasskeys} passkeys already. Remove one that you no longer use.`);
