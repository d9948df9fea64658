import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server';
import { and, eq } from 'drizzle-orm';
import { createElement } from 'react';
import { db, type Executor } from '@/db/client';
import { passkeys } from '@/db/schema/passkeys';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { queueMail } from '@/lib/mail/compose';
import { PasskeyNotice } from '@/lib/mail/templates/security';
import { recordUserAudit } from '@/lib/platform/audit/record';
import { getBranding } from '@/lib/settings/branding/get-branding';
import type { PasskeyRegistration } from './contract';
import {
  consumeChallenge,
  createChallenge,
  parseChallenge,
  passkeyRejectedError,
  relyingParty,
} from './passkey-requests';
import { requirePassword, requireUnchanged } from './recent-authentication';
import { deleteOrphanedRecoveryCodes, replaceRecoveryCodes } from './recovery-codes';
import { hasSecondFactor, requireRemainingFactor } from './two-step';

/** The maximum number of passkeys per user. */
export const maxPasskeys = 10;

/** PublicKeyCredentialCreationOptionsJSON, for the browser. */
type PasskeyCreation = Awaited<ReturnType<typeof generateRegistrationOptions>>;

/**
 * Starts adding a passkey, with the password: a stolen cookie alone must not add a credential.
 * @throws AppError invalid_input for a wrong password, rate_limited after too many attempts, conflict beyond the
 * maximum
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
 * Stores the passkey that the browser created for `beginPasskey`, and mails the user. The first second factor of an
 * account comes with recovery codes.
 * @returns the recovery codes, shown only once; null when the account already had a second factor
 * @throws AppError unauthenticated when it is not accepted or the session ended in the meantime, conflict beyond the
 * maximum
 */
export async function addPasskey(
  actor: Actor,
  { name, response }: { name: string; response: PasskeyRegistration },
): Promise<{ recoveryCodes: string[] | null }> {
  const challenge = parseChallenge(response);
  if (!(await consumeChallenge('enroll', actor.userId, challenge))) throw passkeyRejectedError();
  const { rpID, expectedOrigin } = relyingParty();
  const { transports, ...attestation } = response.response;
  const verified = await verifyRegistrationResponse({
    response: { ...response, response: attestation },
    expectedChallenge: challenge,
    expectedOrigin,
    expectedRPID: rpID,
    requireUserVerification: false,
  }).catch(() => null);
  if (!verified?.verified) throw passkeyRejectedError();
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
    if (added.length === 0) throw new AppError('conflict', 'This passkey was already added.');
    const recoveryCodes = person?.hadFactor ? null : await replaceRecoveryCodes(tx, actor.userId);
    await queuePasskeyNotice(tx, { to: actor.email, name, change: 'added' });
    await recordUserAudit(tx, actor, 'user.passkey_added', `${actor.email} added the passkey "${name}".`);
    return { recoveryCodes };
  });
}

const tooMany = () =>
  new AppError('conflict', `You already have ${maxPasskeys} passkeys. Remove one that you no longer use.`);

/** Mails the user that a passkey was added or removed. */
async function queuePasskeyNotice(
  tx: Executor,
  { to, name, change }: { to: string; name: string; change: 'added' | 'removed' },
): Promise<void> {
  await queueMail(tx, {
    kind: 'passkey-notice',
    to,
    subject: change === 'added' ? 'A passkey was added to your account' : 'A passkey was removed from your account',
    body: (context) => createElement(PasskeyNotice, { ...context, name, change }),
  });
}

/**
 * Removes one of a user's passkeys, with the password, and mails the user. With the last second factor the recovery
 * codes are deleted.
 * @throws AppError conflict for the last factor when the role requires one, not_found for another user's passkey,
 * invalid_input for a wrong password, rate_limited after too many attempts, unauthenticated when the password was reset
 * or the session ended in the meantime
 */
export async function removePasskey(actor: Actor, passkeyId: string, password: string): Promise<void> {
  const checked = await requirePassword(actor, password, 'password');
  await db().transaction(async (tx) => {
    await requireUnchanged(tx, actor, checked);
    const [removed] = await tx
      .delete(passkeys)
      .where(and(eq(passkeys.id, passkeyId), eq(passkeys.userId, actor.userId)))
      .returning({ name: passkeys.name });
    if (!removed) throw new AppError('not_found', 'This passkey was already removed.');
    await requireRemainingFactor(tx, actor.userId);
    await deleteOrphanedRecoveryCodes(tx, actor.userId);
    await queuePasskeyNotice(tx, { to: actor.email, name: removed.name, change: 'removed' });
    await recordUserAudit(tx, actor, 'user.passkey_removed', `${actor.email} removed the passkey "${removed.name}".`);
  });
}
