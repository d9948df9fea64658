import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { emailTokens } from '../../db/schema/email-tokens';

/** The address that somebody asked for and that has not confirmed itself yet; null for none. */
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
