import { and, eq, isNull, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { passkeys } from '@/db/schema/passkeys';
import { recoveryCodes, users } from '@/db/schema/users';

export type TwoStepState = { enabledAt: Date | null; recoveryCodesLeft: number };

/**
 * Whether sign-in with the password needs a second factor; for a query that selects from `users`. The columns are
 * qualified by hand because Drizzle omits the table's name in a query of one table, and they would refer to `passkeys`.
 */
export const hasSecondFactor = sql<boolean>`(users.totp_enabled_at is not null
  or exists (select from passkeys where passkeys.user_id = users.id))`;

/** Reads whether a user has an authenticator app, and the number of unused recovery codes. */
export async function getTwoStep(userId: string): Promise<TwoStepState> {
  const left = db()
    .select({ count: sql`count(*)` })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, users.id), isNull(recoveryCodes.usedAt)));
  const [row] = await db()
    .select({ enabledAt: users.totpEnabledAt, recoveryCodesLeft: sql<number>`(${left})::int` })
    .from(users)
    .where(eq(users.id, userId));
  return row ?? { enabledAt: null, recoveryCodesLeft: 0 };
}

export type PasskeyItem = Pick<typeof passkeys.$inferSelect, 'id' | 'name' | 'createdAt' | 'lastUsedAt'>;

/** Lists a user's passkeys, the oldest first. */
export function listPasskeys(userId: string): Promise<PasskeyItem[]> {
  return db()
    .select({
      id: passkeys.id,
      name: passkeys.name,
      createdAt: passkeys.createdAt,
      lastUsedAt: passkeys.lastUsedAt,
    })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(passkeys.id);
}
