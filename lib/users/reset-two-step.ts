import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { passkeyChallenges, passkeys } from '@/db/schema/passkeys';
import { recoveryCodes, users } from '@/db/schema/users';
import type { Transaction } from '@/db/transaction';
import { recordController } from '@/lib/access/account-controllers';
import type { Actor } from '@/lib/access/actor';
import { lockRights } from '@/lib/access/authorize';
import { hasAllPermissions } from '@/lib/access/permissions';
import { type Approval, findApproval, requestApproval } from '@/lib/approvals/request';
import { approvalDays } from '@/lib/approvals/schemas';
import { endAllSessions, revokeProgramAccess } from '@/lib/auth/revoke-access';
import { hasSecondFactor } from '@/lib/auth/two-step';
import { AppError } from '@/lib/errors';
import { queueAccountNotice, queueAdminNotice, queueRecoveryNotice } from '@/lib/mail/security-notices';
import { recordAudit } from '@/lib/platform/audit/record';
import { type LockedPerson, lockPerson } from './queries';

export const requestTwoStepResetInput = z.object({ userId: z.string().trim().min(1).max(64) });

const getSubject = (userId: string) => `two-step:${userId}`;

/**
 * Requests a reset of a user's lost second factor, which a second Admin must approve, and mails the user.
 * @throws AppError forbidden for other roles and for the actor's own account, not_found, conflict for a user without a
 * second factor, or when no other Admin can approve it
 */
export async function requestTwoStepReset(actor: Actor, userId: string): Promise<Approval> {
  if (!hasAllPermissions(actor)) throw adminsOnly();
  if (userId === actor.userId) {
    throw new AppError('forbidden', 'You cannot reset your own second factor this way. Use the Security page.');
  }
  const person = await db().transaction((tx) => requireFactor(tx, userId));
  return requestApproval(
    actor,
    {
      kind: 'two_step_reset',
      subject: getSubject(userId),
      payload: { userId },
      summary: `Reset two-step sign-in of ${person.email}: remove the authenticator app, passkeys and recovery codes.`,
      beneficiaryId: userId,
    },
    (tx) =>
      queueAccountNotice(tx, person.email, {
        subject: 'A reset of your two-step sign-in was requested',
        text: 'An admin requested to remove your authenticator app, passkeys and recovery codes. A second admin must approve it.',
      }),
  );
}

/**
 * Removes a user's second factors and ends the sessions, in the transaction of the approval.
 * @throws AppError forbidden when the approver is no longer an Admin, not_found, conflict without a second factor
 */
export async function resetTwoStep(
  tx: Transaction,
  caller: Actor,
  { userId }: { userId: string },
  approval: Approval,
): Promise<void> {
  const actor = await lockRights(tx, caller, 'ManageUsers');
  if (!hasAllPermissions(actor)) throw adminsOnly();
  const person = await requireFactor(tx, userId);
  await tx
    .update(users)
    .set({ totpSecret: null, totpBegunAt: null, totpEnabledAt: null, totpLastStep: null })
    .where(eq(users.id, userId));
  await tx.delete(passkeys).where(eq(passkeys.userId, userId));
  await tx.delete(passkeyChallenges).where(eq(passkeyChallenges.userId, userId));
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await recordController(tx, { userId: approval.requestedBy }, userId);
  const ended = await endAllSessions(tx, userId);
  await revokeProgramAccess(tx, actor, userId);
  const details = `Two-step sign-in of ${person.email} was reset by two admins; ${ended} sessions were ended.`;
  await recordAudit(tx, actor, {
    action: 'user.two_step_reset',
    details,
    entityType: 'user',
    entityId: userId,
    before: { requestedBy: approval.requestedBy, approval: approval.id },
  });
  await queueRecoveryNotice(
    tx,
    { userId, email: person.email },
    {
      subject: 'Your two-step sign-in was reset',
      text: 'Two admins removed your authenticator app, passkeys and recovery codes, and ended your sessions. Signing in requires only the password until you set up two-step sign-in again.',
    },
  );
  await queueAdminNotice(tx, actor, { subject: 'The two-step sign-in of a user was reset', text: details });
}

/** Checks whether a reset of a user's second factors is pending. */
export async function isTwoStepResetPending(userId: string): Promise<boolean> {
  const newest = await findApproval(db(), getSubject(userId));
  return newest?.state === 'pending' && Date.now() - newest.requestedAt.getTime() <= approvalDays * 86_400_000;
}

/** Locks a user who has a second factor. */
async function requireFactor(tx: Executor, userId: string): Promise<LockedPerson> {
  const person = await lockPerson(tx, userId);
  const [row] = await tx.select({ has: hasSecondFactor }).from(users).where(eq(users.id, userId));
  if (!row?.has) throw new AppError('conflict', `${person.email} has no second factor.`);
  return person;
}

const adminsOnly = () =>
  new AppError('forbidden', 'Only admins can reset a second factor: one requests it, and a second one approves it.');
