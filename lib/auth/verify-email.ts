import { and, eq, isNull, sql } from 'drizzle-orm';
import { createElement } from 'react';
import { db, type Executor } from '@/db/client';
import { users } from '@/db/schema/users';
import type { AnyActor } from '@/lib/access/actor';
import { grantedPermissions } from '@/lib/access/authorize';
import { isPermission } from '@/lib/access/permissions';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { type Mail, queueMail } from '@/lib/mail/compose';
import { VerifyEmailMail } from '@/lib/mail/templates/account';
import { recordUserAudit } from '@/lib/platform/audit/record';
import { consumeEmailToken, createEmailToken, emailTokenSeconds } from './email-token';
import { getOwnPortal } from './portal-home';
import { portals } from './portals';

/**
 * Confirms an email address with its verification link, once. A Pending account becomes Active; a suspended one stays
 * suspended.
 * @returns the address, and the home of the account's portal
 * @throws AppError invalid_input when the link is unknown, used, replaced or older than 24 hours
 */
export async function verifyEmail(caller: AnyActor, token: string): Promise<{ email: string; home: string }> {
  return db().transaction(async (tx) => {
    const userId = await consumeEmailToken(tx, token, 'verify-email');
    if (!userId) throw verificationError();
    const [user] = await tx
      .update(users)
      .set({
        emailVerifiedAt: sql`now()`,
        status: sql`case when ${users.status} = 'Pending' then 'Active' else ${users.status} end`,
      })
      .where(eq(users.id, userId))
      .returning({ email: users.email, role: users.role, permissions: grantedPermissions });
    if (!user) throw verificationError();
    await recordUserAudit(tx, caller, 'user.verified', `${user.email} confirmed the email address.`, userId);
    const { email, role, permissions } = user;
    const portal = getOwnPortal({ role, permissions: permissions.filter(isPermission) });
    return { email, home: portals[portal].home };
  });
}

const verificationError = () => new AppError('invalid_input', 'Verification failed.');

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
 * Mails a new verification link when the address belongs to a Pending account; the result is the same for any address.
 */
export async function resendVerification(email: string): Promise<void> {
  await db().transaction(async (tx) => {
    const [pending] = await tx
      .select({ id: users.id, email: users.email })
      .from(users)
      .where(
        and(eq(sql`lower(${users.email})`, email.toLowerCase()), eq(users.status, 'Pending'), isNull(users.deletedAt)),
      );
    if (pending) await queueVerification(tx, pending);
  });
}
