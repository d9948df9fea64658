import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client';
import { sessions } from '../../db/schema/users';

/**
 * Ends every running session of a person; their cookies are dead at the next request.
 * @param except a session that goes on, e.g. the one that changes its own password
 * @returns how many were ended
 */
export async function endAllSessions(tx: Executor, userId: string, except = ''): Promise<number> {
  const ended = await tx
    .update(sessions)
    .set({ endedAt: sql`now()` })
    .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt), ne(sessions.id, except)))
    .returning({ id: sessions.id });
  return ended.length;
}
