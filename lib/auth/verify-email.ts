import { eq, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { users } from '../../db/schema/users';
import { recordAudit } from '../audit/record';
import { AppError } from '../errors';
import type { AnyActor } from './actor';
import { consumeEmailToken } from './email-token';

/**
 * Confirms the address a verification link was mailed to, once. A Pending account becomes Active; a suspended one
 * stays suspended.
 * @throws AppError invalid_input when the link is unknown, used, replaced or older than 24 hours
 */
export async function verifyEmail(caller: AnyActor, token: string): Promise<void> {
  await db().transaction(async (tx) => {
    const userId = await consumeEmailToken(tx, token, 'verify-email');
    if (!userId) {
      throw new AppError('invalid_input', 'Verification failed.');
    }
    const [user] = await tx
      .update(users)
      .set({
        emailVerifiedAt: sql`now()`,
        status: sql`case when ${users.status} = 'Pending' then 'Active' else ${users.status} end`,
      })
      .where(eq(users.id, userId))
      .returning({ email: users.email });
    await recordAudit(tx, caller, {
      action: 'user.verified',
      details: `${user?.email} confirmed the email address.`,
      entityType: 'user',
      entityId: userId,
    });
  });
}
