import { asc, eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { notices } from '@/db/schema/notices';

/** Lists the kinds of the notices of a user, the first one first. */
export async function listNotices(userId: string): Promise<string[]> {
  const rows = await db().select().from(notices).where(eq(notices.userId, userId)).orderBy(asc(notices.id));
  return rows.map(({ kind }) => kind);
}
