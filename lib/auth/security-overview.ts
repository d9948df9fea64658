import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { sessions } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { getWeeklyChoice, listMailPreferences } from '@/lib/mail/preferences';
import { describeUserAgent, type UserAgentInfo } from './describe-user-agent';
import { getTwoStep, isTwoStepOverdue, listPasskeys } from './two-step';

export type SessionItem = UserAgentInfo & Omit<ActiveSession, 'userAgent'> & { isThis: boolean };

/** Reads the data of the security page, which the portals share. */
export async function getSecurityOverview(actor: Actor) {
  const [sessions, twoStep, passkeys, mails, weeklyMail] = await Promise.all([
    listSessions(actor.userId),
    getTwoStep(actor.userId),
    listPasskeys(actor.userId),
    isTwoStepOverdue(actor) ? [] : listMailPreferences(actor),
    getWeeklyChoice(actor),
  ]);
  const lines = sessions.map(({ userAgent, ...session }) => ({
    ...session,
    ...describeUserAgent(userAgent),
    isThis: session.id === actor.sessionId,
  }));
  return {
    email: actor.email,
    sessions: lines.sort((a, b) => Number(b.isThis) - Number(a.isThis)),
    twoStep,
    passkeys,
    mails,
    weeklyMail,
  };
}

export type SecurityOverview = Awaited<ReturnType<typeof getSecurityOverview>>;

export type ActiveSession = Pick<typeof sessions.$inferSelect, 'id' | 'createdAt' | 'lastSeenAt' | 'ip' | 'userAgent'>;

/** Lists a user's active sessions, the most recently used first. */
export function listSessions(userId: string): Promise<ActiveSession[]> {
  const { id, createdAt, lastSeenAt, ip, userAgent } = sessions;
  return db()
    .select({ id, createdAt, lastSeenAt, ip, userAgent })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(sessions.lastSeenAt));
}
