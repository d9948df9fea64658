import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { sessions } from '../../db/schema/users';

export type RunningSession = { id: string; createdAt: Date; lastSeenAt: Date; ip: string; userAgent: string };

/** A person's running sessions, the one last used first. */
export function listSessions(userId: string): Promise<RunningSession[]> {
  return db()
    .select({
      id: sessions.id,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      ip: sessions.ip,
      userAgent: sessions.userAgent,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(sessions.lastSeenAt));
}
