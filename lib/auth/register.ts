import { and, eq, isNull, sql } from 'drizzle-orm';
import { createElement } from 'react';
import type { z } from 'zod';
import { db } from '../../db/client';
import { users } from '../../db/schema/users';
import { recordAudit } from '../audit/record';
import { env } from '../env';
import { newId } from '../ids';
import { queueMail } from '../mail/queue';
import { AccountExistsMail } from '../mail/templates/account-exists';
import type { AnyActor } from './actor';
import { hashPassword } from './password';
import type { registerBody } from './schemas';
import { queueVerification } from './verification-mail';

/**
 * Creates a Pending account and mails its verification link. A known e-mail changes nothing and gets a mail that says
 * so; the caller cannot tell the two apart, neither by the answer nor by the work done.
 * @param role what the portal registers (decision 6)
 */
export async function register(
  caller: AnyActor,
  role: 'User' | 'Seller',
  { name, email, password }: z.output<typeof registerBody>,
): Promise<void> {
  const passwordHash = await hashPassword(password);
  await db().transaction(async (tx) => {
    const id = newId();
    const [created] = await tx
      .insert(users)
      .values({ id, name, email, passwordHash, role, status: 'Pending' })
      .onConflictDoNothing()
      .returning({ id: users.id });
    if (!created) {
      const [known] = await tx
        .select({ email: users.email })
        .from(users)
        .where(and(eq(sql`lower(${users.email})`, email.toLowerCase()), isNull(users.deletedAt)));
      // An account that was deleted keeps its e-mail and gets no mail.
      if (known) {
        const forgot = role === 'Seller' ? '/seller/forgot' : '/user/forgot';
        await queueMail(tx, {
          kind: 'account-exists',
          to: known.email,
          subject: 'You already have an account',
          body: (context) => createElement(AccountExistsMail, { ...context, url: `${env().APP_URL}${forgot}` }),
        });
      }
      return;
    }
    await queueVerification(tx, { id, email });
    await recordAudit(tx, caller, {
      action: 'user.registered',
      details: `${email} created a ${role} account and was sent a verification link.`,
      entityType: 'user',
      entityId: id,
    });
  });
}
