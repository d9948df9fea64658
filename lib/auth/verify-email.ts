import { and, eq, isNull, sql } from 'drizzle-orm';
import { createElement } from 'react';
import { db, type Executor } from '@/db/client';
import { users } from '@/db/schema/users';
import type { AnyActor } from '@/lib/access/actor';
import { grantedPermissions } from '@/lib/access/authorize';
import { hasRightsOfStaff, isPermission } from '@/lib/access/permissions';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { type Mail, queueMail } from '@/lib/mail/compose';
import { VerifyEmailMail } from '@/lib/mail/templates/account';
import { recordUserAudit } from '@/lib/platform/audit/record';
import { hasAgreed } from '@/lib/settings/legal/documents';
import { consumeEmailToken, createEmailToken, emailTokenSeconds, findUsedTokenOwner } from './email-token';
import { getOwnPortal } from './portal-home';
import { portals } from './portals';
import { type SignInCaller, startSession } from './sign-in';
import { hasSecondFactor } from './two-step';

/** The browser in which a link was pressed, and whether another user is signed in there. */
type Visit = Pick<SignInCaller, 'ip' | 'userAgent'> & { signedInAs: string | null };

/**
 * Confirms an email address with its verification link, once. A Pending account becomes Active; a suspended one stays
 * suspended. In a browser it also signs a customer or seller in, except in place of another user, past a second factor,
 * and without the agreement to the published documents. Staff enter their password.
 * @param visit null confirms the address without a session
 * @returns the address, and the page to open: the home of the account's portal, or its sign-in page for an account with
 * a session to start
 * @throws AppError invalid_input when the link is unknown, used, replaced or older than 24 hours; with the URL of the
 * sign-in when the address is confirmed already
 */
export async function verifyEmail(
  caller: AnyActor,
  token: string,
  visit: Visit | null = null,
): Promise<{ email: string; home: string; isSignedIn: boolean }> {
  const verified = await db().transaction(async (tx) => {
    const userId = await consumeEmailToken(tx, token, 'verify-email');
    if (!userId) return null;
    const [user] = await tx
      .update(users)
      .set({
        emailVerifiedAt: sql`now()`,
        status: sql`case when ${users.status} = 'Pending' then 'Active' else ${users.status} end`,
      })
      .where(and(eq(users.id, userId), isNull(users.deletedAt)))
      .returning({
        email: users.email,
        role: users.role,
        status: users.status,
        permissions: grantedPermissions,
        hasSecondFactor,
      });
    if (!user) return null;
    await recordUserAudit(tx, caller, 'user.verified', `${user.email} confirmed the email address.`, userId);
    const { email, role } = user;
    const person = { userId, email, role, permissions: user.permissions.filter(isPermission) };
    const { home } = portals[getOwnPortal(person)];
    const mayStart = user.status === 'Active' && !user.hasSecondFactor && !hasRightsOfStaff(person);
    if (!visit || visit.signedInAs !== null || !mayStart || !(await hasAgreed(userId, {}, tx)))
      return { email, home, isSignedIn: false };
    await startSession(tx, person, { ...visit, byLink: true });
    await recordUserAudit(tx, caller, 'session.started', `${email} signed in with the verification link.`, userId);
    return { email, home, isSignedIn: true };
  });
  return verified ?? throwVerificationError(token);
}

async function throwVerificationError(token: string): Promise<never> {
  const used = await findUsedVerification(token);
  if (used) throw new AppError('invalid_input', 'Already verified. Sign in.', { url: used.signIn });
  throw new AppError('invalid_input', 'Verification failed.');
}

/** Finds the sign-in page of the account of a used link, whose address is confirmed; null for any other link. */
export async function findUsedVerification(token: string): Promise<{ signIn: string } | null> {
  const owner = await findUsedTokenOwner(token, 'verify-email');
  return owner?.verifiedAt ? { signIn: portals[getOwnPortal(owner)].signIn } : null;
}

/** Creates a verification link and queues its mail; earlier links become invalid. */
export async function queueVerification(tx: Executor, user: { id: string; email: string }): Promise<void> {
  await queueMail(tx, verificationMail(user.email, await createEmailToken(tx, user.id, 'verify-email')));
}

/** Builds the mail with a verification link. */
export function verificationMail(email: string, token: string): Mail {
  return {
    kind: 'verify-email',
    to: email,
    subject: 'Confirm your email address',
    body: (context) =>
      createElement(VerifyEmailMail, { ...context, url: `${env().APP_URL}/verify-email?token=${token}` }),
    expiresInSeconds: emailTokenSeconds['verify-email'],
  };
}

/**
 * Mails a new verification link when the address belongs to a Pending account that was not invited; the result is the
 * same for any address.
 */
export async function resendVerification(email: string): Promise<void> {
  await db().transaction(async (tx) => {
    const [pending] = await tx
      .select({ id: users.id, email: users.email })
      .from(users)
      .where(
        and(
          eq(sql`lower(${users.email})`, email.toLowerCase()),
          eq(users.status, 'Pending'),
          isNull(users.invitedAt),
          isNull(users.deletedAt),
        ),
      );
    if (pending) await queueVerification(tx, pending);
  });
}
