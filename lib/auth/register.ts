import { eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { db, type Executor } from '../../db/client';
import { users } from '../../db/schema/users';
import { recordAudit } from '../audit/record';
import { requireFlag } from '../flags/read-flags';
import { newId } from '../ids';
import { queueMail } from '../mail/queue';
import type { AnyActor } from './actor';
import { hashChosenPassword } from './choose-password';
import { createEmailToken } from './email-token';
import { type RegistrationOutcome, registrationMail } from './registration-mail';
import type { registerBody } from './schemas';

/**
 * Creates a Pending account and mails its verification link. The address of an account changes nothing and gets a mail
 * that says so; that of a deleted account stays closed (its books stay, and an admin decided it) and is told that by
 * mail. The caller cannot tell these apart, neither by the answer nor by the work done: one hash, and the same
 * statements in the same order, of which some find nothing to write.
 * @param role what the portal registers (decision 6)
 * @throws AppError not_configured while an admin has turned registration off, invalid_input for a password that is easy to guess
 */
export async function register(
  caller: AnyActor,
  role: 'User' | 'Seller',
  { name, email, password }: z.output<typeof registerBody>,
): Promise<void> {
  await requireFlag(role === 'Seller' ? 'seller-registration' : 'registration');
  const passwordHash = await hashChosenPassword(password, { name, email });
  await db().transaction(async (tx) => {
    const id = newId();
    await tx.insert(users).values({ id, name, email, passwordHash, role, status: 'Pending' }).onConflictDoNothing();
    const holder = await holderOf(tx, email);
    // Nobody has the new id unless the account is new: for others no link is kept, and no earlier one stops working.
    const token = await createEmailToken(tx, id, 'verify-email');
    const outcome = holder.id === id ? 'new' : holder.deletedAt === null ? 'known' : 'closed';
    await queueMail(tx, registrationMail(outcome, { email: holder.email, role, token }));
    await recordAudit(tx, caller, {
      action: outcome === 'new' ? 'user.registered' : 'user.registration_refused',
      details: `${holder.email} ${told[outcome](role)}`,
      entityType: 'user',
      entityId: holder.id,
    });
  });
}

const told: Record<RegistrationOutcome, (role: string) => string> = {
  new: (role) => `created a ${role} account and was sent a verification link.`,
  known: (role) => `was given to make a ${role} account, has one already, and was sent a mail that says so.`,
  closed: (role) => `was given to make a ${role} account, had one that was deleted, and was sent a mail that says so.`,
};

/** Whose the address is, once an account was tried to be made of it: there is always somebody. */
async function holderOf(tx: Executor, email: string) {
  const [holder] = await tx
    .select({ id: users.id, email: users.email, deletedAt: users.deletedAt })
    .from(users)
    .where(eq(sql`lower(${users.email})`, email.toLowerCase()));
  if (!holder) throw new Error('An address that was neither new nor known.');
  return holder;
}
