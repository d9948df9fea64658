import { and, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import { cookies, headers } from 'next/headers';
import { db, type Executor } from '@/db/client';
import { accountInvitations } from '@/db/schema/accounts';
import { apiTokens } from '@/db/schema/api-tokens';
import { sessions, users } from '@/db/schema/users';
import { webhookEndpoints } from '@/db/schema/webhook-endpoints';
import { accountCookie } from '@/lib/access/account-choice';
import type { Actor } from '@/lib/access/actor';
import { grantedPermissions, requireCovered } from '@/lib/access/authorize';
import { isPermission } from '@/lib/access/permissions';
import { AppError } from '@/lib/errors';
import { recordAudit, recordUserAudit } from '@/lib/platform/audit/record';
import { bearerToken, currentActor } from './current-actor';
import { invalidateEmailTokens } from './email-token';
import { decodeSessionToken, isSecure, sessionCookieName } from './session-token';
import { stopViewing } from './viewing';

/**
 * Ends all sessions of a user for an admin; the caller has checked ManageUsers.
 * @returns the number of ended sessions
 * @throws AppError not_found for an unknown email, forbidden when the user has more rights than the actor
 */
export async function endUserSessions(actor: Actor, email: string): Promise<{ email: string; ended: number }> {
  return db().transaction(async (tx) => {
    const [user] = await tx
      .select({ id: users.id, email: users.email, role: users.role, permissions: grantedPermissions })
      .from(users)
      .where(and(eq(sql`lower(${users.email})`, email.toLowerCase()), isNull(users.deletedAt)));
    if (!user) {
      const message = 'No account has this email.';
      throw new AppError('not_found', message, { fields: { email: message } });
    }
    requireCovered(actor, { role: user.role, permissions: user.permissions.filter(isPermission) });
    const ended = await endAllSessions(tx, user.id, user.id === actor.userId ? actor.sessionId : '');
    await recordUserAudit(
      tx,
      actor,
      'session.ended',
      `${actor.email} signed ${user.email} out everywhere; ${ended} sessions were ended.`,
      user.id,
    );
    return { email: user.email, ended };
  });
}

/**
 * Ends all active sessions of a user; their cookies are invalid from the next request.
 * @param except a session to keep, e.g. the one that changes the password
 * @returns the number of ended sessions
 */
export async function endAllSessions(tx: Executor, userId: string, except = ''): Promise<number> {
  const ended = await tx
    .update(sessions)
    .set({ endedAt: sql`now()` })
    .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt), ne(sessions.id, except)))
    .returning({ id: sessions.id });
  return ended.length;
}

/** Ends all sessions of the actor except the current one. @returns the number of ended sessions */
export async function endOtherSessions(actor: Actor): Promise<{ ended: number }> {
  return db().transaction(async (tx) => {
    const ended = await endAllSessions(tx, actor.userId, actor.sessionId);
    await recordUserAudit(tx, actor, 'session.ended', `${actor.email} ended ${ended} other sessions.`);
    return { ended };
  });
}

/**
 * Ends one of the actor's sessions, e.g. of a lost phone.
 * @throws AppError not_found when it belongs to another user or has ended
 */
export async function endOwnSession(actor: Actor, sessionId: string): Promise<void> {
  await db().transaction(async (tx) => {
    const ended = await tx
      .update(sessions)
      .set({ endedAt: sql`now()` })
      .where(and(eq(sessions.id, sessionId), eq(sessions.userId, actor.userId), isNull(sessions.endedAt)))
      .returning({ id: sessions.id });
    if (ended.length === 0) throw new AppError('not_found', 'This session has already ended.');
    await recordUserAudit(tx, actor, 'session.ended', `${actor.email} ended a session.`);
  });
}

/**
 * Signs out: ends the sessions of the cookie and of the bearer token with their view of another user's portal, and deletes
 * the cookies of the session and of the chosen account. Does nothing without a session.
 * @returns whether the call ended an active session
 */
export async function endSession(): Promise<boolean> {
  await stopViewing(await currentActor());
  const [jar, headerList] = await Promise.all([cookies(), headers()]);
  const tokens = [bearerToken(headerList.get('authorization')), jar.get(sessionCookieName())?.value];
  const claims = await Promise.all(tokens.map((token) => (token ? decodeSessionToken(token) : null)));
  const sessionIds = claims.flatMap((claim) => claim?.sessionId ?? []);
  const ended =
    sessionIds.length === 0
      ? []
      : await db()
          .update(sessions)
          .set({ endedAt: new Date() })
          .where(and(inArray(sessions.id, sessionIds), isNull(sessions.endedAt)))
          .returning({ wasRunning: sql<boolean>`${sessions.expiresAt} > now()` });
  const gone = { sameSite: 'lax', secure: isSecure(), path: '/', maxAge: 0 } as const;
  jar.set(sessionCookieName(), '', { ...gone, httpOnly: true });
  if (jar.has(accountCookie)) jar.set(accountCookie, '', gone);
  return ended.some(({ wasRunning }) => wasRunning);
}

/**
 * Revokes all API tokens of a user and of the personal account, turns off the webhook endpoints and chats, and ends a code
 * that would connect a chat and the open invitations that the user sent, when the account was recovered, suspended or
 * deleted: its previous holder may have created them. A password that the user changes with the current one keeps them.
 */
export async function revokeProgramAccess(tx: Executor, actor: AuditActor, userId: string): Promise<void> {
  await invalidateEmailTokens(tx, userId, 'telegram');
  await tx.delete(accountInvitations).where(eq(accountInvitations.invitedBy, userId));
  await revokePrograms(tx, actor, { entityType: 'user', entityId: userId });
}

/** Revokes all API tokens of a team and turns off its webhook endpoints, when it is deleted. */
export const revokeTeamPrograms = (tx: Executor, actor: AuditActor, accountId: string): Promise<void> =>
  revokePrograms(tx, actor, { entityType: 'account', entityId: accountId });

type AuditActor = Parameters<typeof recordAudit>[1];

/** @param subject whose tokens are revoked and endpoints are turned off */
async function revokePrograms(
  tx: Executor,
  actor: AuditActor,
  subject: { entityType: 'user' | 'account'; entityId: string },
): Promise<void> {
  const revoked = await tx
    .update(apiTokens)
    .set({ revokedAt: sql`now()` })
    .where(
      and(
        or(eq(apiTokens.accountId, subject.entityId), eq(apiTokens.userId, subject.entityId)),
        isNull(apiTokens.revokedAt),
      ),
    )
    .returning({ name: apiTokens.name });
  const off = await tx
    .update(webhookEndpoints)
    .set({
      isEnabled: false,
      offReason: 'owner',
      disabledAt: sql`now()`,
      version: sql`${webhookEndpoints.version} + 1`,
    })
    .where(
      and(
        or(eq(webhookEndpoints.ownerId, subject.entityId), eq(webhookEndpoints.savedBy, subject.entityId)),
        webhookEndpoints.isEnabled,
      ),
    )
    .returning({ url: webhookEndpoints.url });
  if (revoked.length > 0) {
    await recordAudit(tx, actor, {
      action: 'api_token.revoked',
      details: `The API tokens of the account were revoked: ${revoked.map(({ name }) => `“${name}”`).join(', ')}.`,
      ...subject,
    });
  }
  if (off.length > 0) {
    await recordAudit(tx, actor, {
      action: 'webhook.updated',
      details: `The webhook endpoints of the account were turned off: ${off.map(({ url }) => new URL(url).host).join(', ')}.`,
      ...subject,
    });
  }
}
