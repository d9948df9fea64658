import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { createElement } from 'react';
import { db, type Executor } from '@/db/client';
import { users } from '@/db/schema/users';
import type { Actor, AnyActor } from '@/lib/access/actor';
import { grantedPermissions, hasPermission, lockRights, requireCovered } from '@/lib/access/authorize';
import { isPermission } from '@/lib/access/permissions';
import {
  consumeEmailToken,
  createEmailToken,
  emailTokenSeconds,
  findEmailTokenOwner,
  invalidateEmailTokens,
} from '@/lib/auth/email-token';
import { hashChosenPassword, hashPassword } from '@/lib/auth/password';
import { getOwnPortal } from '@/lib/auth/portal-home';
import { portals } from '@/lib/auth/portals';
import { type SignInCaller, startSession } from '@/lib/auth/sign-in';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { newSecret } from '@/lib/ids';
import { queueMail } from '@/lib/mail/compose';
import { InvitationMail } from '@/lib/mail/templates/account';
import { recordUserAudit } from '@/lib/platform/audit/record';
import { describeConsents, recordConsents, requireConsents } from '@/lib/settings/legal/documents';
import type { AgreedVersions } from '@/lib/settings/legal/legal';
import { lockPerson } from './queries';

/** Returns the hash of a password that no one knows, for an account whose password is not set yet. */
export const hashUnknownPassword = () => hashPassword(newSecret());

/** Creates the link of an invitation and queues its mail; earlier links become invalid. */
export async function queueInvitation(tx: Executor, { id, email }: { id: string; email: string }): Promise<void> {
  const token = await createEmailToken(tx, id, 'invite');
  await queueMail(tx, {
    kind: 'invitation',
    to: email,
    subject: 'You are invited',
    body: (context) => createElement(InvitationMail, { ...context, url: `${env().APP_URL}/invitation?token=${token}` }),
    expiresInSeconds: emailTokenSeconds.invite,
  });
}

/**
 * Mails a new link to a user who was invited and has not set a password, also after the invitation was revoked.
 * @throws AppError not_found, forbidden when the user has more rights than the actor, conflict when there is no
 * invitation to send
 */
export async function resendInvitation(caller: Actor, userId: string): Promise<void> {
  await db().transaction(async (tx) => {
    const person = await requireInvited(tx, caller, userId);
    await tx
      .update(users)
      .set({ status: 'Pending', invitedAt: sql`now()`, rightsSince: sql`now()`, version: person.version + 1 })
      .where(eq(users.id, userId));
    await queueInvitation(tx, person);
    await recordUserAudit(
      tx,
      caller,
      'user.invited',
      `${person.email} was sent a new invitation as ${person.role}.`,
      userId,
    );
  });
}

/**
 * Revokes an invitation: its link stops working, and the account is Expired until it is invited again.
 * @throws AppError as `resendInvitation`
 */
export async function revokeInvitation(caller: Actor, userId: string): Promise<void> {
  await db().transaction(async (tx) => {
    const person = await requireInvited(tx, caller, userId);
    await tx
      .update(users)
      .set({ status: 'Expired', version: person.version + 1 })
      .where(eq(users.id, userId));
    await invalidateEmailTokens(tx, userId, 'invite');
    await recordUserAudit(
      tx,
      caller,
      'user.invitation_revoked',
      `The invitation of ${person.email} was revoked.`,
      userId,
    );
  });
}

async function requireInvited(tx: Executor, caller: Actor, userId: string) {
  const actor = await lockRights(tx, caller, 'ManageUsers');
  const person = await lockPerson(tx, userId);
  requireCovered(actor, person);
  if (person.invitedAt === null || person.status === 'Suspended')
    throw new AppError('conflict', 'This user has no open invitation. Reload the page.');
  return person;
}

type Acceptance = { token: string; password: string; agreedTo: AgreedVersions };

/**
 * Sets the first password of an invited user with the mailed link, once, and signs the user in. The link proves access
 * to the mailbox, so it also verifies the address.
 * @returns the page to open
 * @throws AppError invalid_input when the link is unknown, used, replaced, revoked or older than 7 days, or the password
 * is easy to guess; forbidden with `fields.agreement` for a customer or seller who does not agree to the published
 * documents
 */
export async function acceptInvitation(
  caller: AnyActor,
  { token, password, agreedTo }: Acceptance,
  visit: Pick<SignInCaller, 'ip' | 'userAgent'>,
): Promise<string> {
  const invalid = new AppError('invalid_input', 'This invitation is no longer valid. Ask for a new one.');
  // Checked first: estimating and hashing are slow on purpose and must not run for a guessed link.
  const owner = await findEmailTokenOwner(token, 'invite');
  if (!owner) throw invalid;
  const passwordHash = await hashChosenPassword(password, owner);
  return db().transaction(async (tx) => {
    const userId = await consumeEmailToken(tx, token, 'invite');
    const [user] = await tx
      .update(users)
      .set({
        ...{ passwordHash, status: 'Active', invitedAt: null },
        emailVerifiedAt: sql`now()`,
        version: sql`${users.version} + 1`,
      })
      .where(
        and(
          eq(users.id, userId ?? ''),
          eq(users.status, 'Pending'),
          isNotNull(users.invitedAt),
          isNull(users.deletedAt),
        ),
      )
      .returning({ id: users.id, email: users.email, role: users.role, permissions: grantedPermissions });
    if (!user) throw invalid;
    const { id, email, role } = user;
    const person = { userId: id, email, role, permissions: user.permissions.filter(isPermission) };
    if (!hasPermission(person, 'AdminDashboard')) await requireConsents(id, agreedTo, tx);
    const consents = await recordConsents(tx, id, agreedTo);
    await startSession(tx, person, visit);
    await recordUserAudit(
      tx,
      caller,
      'user.invitation_accepted',
      `${email} accepted the invitation, set a password and signed in.${describeConsents(consents)}`,
      id,
    );
    return portals[getOwnPortal(person)].home;
  });
}
