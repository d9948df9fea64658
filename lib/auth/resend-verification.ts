import { and, eq, isNull, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { users } from '../../db/schema/users';
import { queueVerification } from './verification-mail';

/** Mails a new verification link if the address belongs to an account that waits for one; says nothing either way. */
export async function resendVerification(email: string): Promise<void> {
  await db().transaction(async (tx) => {
    const [pending] = await tx
      .select({ id: users.id, email: users.email })
      .from(users)
      .where(
        and(eq(sql`lower(${users.email})`, email.toLowerCase()), eq(users.status, 'Pending'), isNull(users.deletedAt)),
      );
    if (pending) await queueVerification(tx, pending);
  });
}
