import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { createElement } from 'react';
import { db, type Executor } from '@/db/client';
import { emailTokens } from '@/db/schema/email-tokens';
import { users } from '@/db/schema/users';
import type { Actor, AnyActor } from '@/lib/access/actor';
import { consumeEmailChange, createEmailToken, emailTokenSeconds, invalidateEmailTokens } from '@/lib/auth/email-token';
import { endAllSessions } from '@/lib/auth/revoke-access';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { queueMail } from '@/lib/mail/compose';
import { ConfirmEmailChangeMail, EmailChangeNotice } from '@/lib/mail/templates/account';
import { recordAudit, recordUserAudit } from '@/lib/platform/audit/record';
import { createEmailTakenError, isEmailTaken, lockPerson } from './queries';

/**
 * Changes an account's email address with a mailed link, once. The link proves access to the mailbox. Links mailed to
 * the old address become invalid, all sessions except `keptSessionId` end, and the old address is notified.
 * @param keptSessionId the session of the request, if any; ignored when it belongs to another user
 * @returns the new address
 * @throws AppError invalid_input when the link is unknown, used, replaced or older than a day, conflict when another
 * account has the address
 */
export async function confirmEmailChange(caller: AnyActor, token: string, keptSessionId = ''): Promise<string> {
  let requested = '';
  const changing = db().transaction(async (tx) => {
    const change = await consumeEmailChange(tx, token);
    if (!change) {
      throw new AppError('invalid_input', 'This link is no longer valid. Request a new one in Profile settings.');
    }
    const { userId, newEmail } = change;
    requested = newEmail;
    const { email: before, version } = await lockPerson(tx, userId);
    await tx
      .update(users)
      .set({ email: newEmail, emailVerifiedAt: new Date(), version: version + 1 })
      .where(eq(users.id, userId));
    await invalidateEmailTokens(tx, userId, 'reset-password', 'verify-email', 'change-email');
    const ended = await endAllSessions(tx, userId, keptSessionId);
    await queueEmailNotice(tx, { to: before, newEmail, isDone: true });
    await recordAudit(tx, caller, {
      action: 'user.email_changed',
      details: `${before} confirmed the new address ${newEmail}; ${ended} sessions were ended.`,
      entityType: 'user',
      entityId: userId,
      before: { email: before },
      after: { email: newEmail },
    });
    return newEmail;
  });
  return changing.catch((thrown: unknown) => {
    throw isEmailTaken(thrown) ? createEmailTakenError(requested) : thrown;
  });
}

/** Mails a confirmation link to the new address; an earlier pending change is canceled. */
export async function queueEmailChange(tx: Executor, userId: string, newEmail: string): Promise<void> {
  const token = await createEmailToken(tx, userId, 'change-email', newEmail);
  await queueMail(tx, {
    kind: 'change-email',
    to: newEmail,
    subject: 'Confirm your new email address',
    body: (context) =>
      createElement(ConfirmEmailChangeMail, { ...context, url: `${env().APP_URL}/confirm-email?token=${token}` }),
    expiresInSeconds: emailTokenSeconds['change-email'],
  });
}

/** Notifies the old address. @param isDone whether the address has changed, or the change is pending */
export async function queueEmailNotice(
  tx: Executor,
  { to, newEmail, isDone }: { to: string; newEmail: string; isDone: boolean },
): Promise<void> {
  await queueMail(tx, {
    kind: 'email-change-notice',
    to,
    subject: isDone ? 'Your email address was changed' : 'Your email address is about to change',
    body: (context) => createElement(EmailChangeNotice, { ...context, newEmail, isDone }),
  });
}

/** Cancels the actor's pending change of address: the mailed link becomes invalid. */
export async function cancelEmailChange(actor: Actor): Promise<void> {
  await db().transaction(async (tx) => {
    await invalidateEmailTokens(tx, actor.userId, 'change-email');
    await recordUserAudit(tx, actor, 'user.email_change_cancelled', `${actor.email} keeps the address.`);
  });
}

/** Returns the address of a pending change; null without one. */
export async function getPendingEmail(userId: string): Promise<string | null> {
  const [waiting] = await db()
    .select({ newEmail: emailTokens.newEmail })
    .from(emailTokens)
    .where(
      and(
        eq(emailTokens.userId, userId),
        eq(emailTokens.purpose, 'change-email'),
        isNull(emailTokens.usedAt),
        gt(emailTokens.expiresAt, sql`now()`),
      ),
    );
  return waiting?.newEmail ?? null;
}
