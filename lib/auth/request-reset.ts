import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { createElement } from 'react';
import { db } from '../../db/client';
import { users } from '../../db/schema/users';
import { isSellerRole } from '../acl/permissions';
import { env } from '../env';
import { queueMail } from '../mail/queue';
import { ResetPasswordMail } from '../mail/templates/reset-password';
import { createEmailToken, emailTokenSeconds } from './email-token';

/**
 * Mails a reset link if the address belongs to an account that may sign in or waits for its verification; says nothing
 * either way. Suspended and expired accounts get none: a new password would not let them in.
 */
export async function requestReset(email: string): Promise<void> {
  await db().transaction(async (tx) => {
    const [user] = await tx
      .select({ id: users.id, email: users.email, role: users.role })
      .from(users)
      .where(
        and(
          eq(sql`lower(${users.email})`, email.toLowerCase()),
          inArray(users.status, ['Active', 'Pending']),
          isNull(users.deletedAt),
        ),
      );
    if (!user) return;
    const token = await createEmailToken(tx, user.id, 'reset-password');
    const page = isSellerRole(user.role) ? '/seller/forgot' : '/user/forgot';
    await queueMail(tx, {
      kind: 'reset-password',
      to: user.email,
      subject: 'Set a new password',
      body: (context) =>
        createElement(ResetPasswordMail, { ...context, url: `${env().APP_URL}${page}?token=${token}` }),
      expiresInSeconds: emailTokenSeconds['reset-password'],
    });
  });
}
