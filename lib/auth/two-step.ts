import { and, eq, isNull, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { recoveryCodes, users } from '../../db/schema/users';

export type TwoStepState = { enabledAt: Date | null; recoveryCodesLeft: number };

/** Whether a person's sign-in asks for a code, and how many recovery codes are unused. */
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
