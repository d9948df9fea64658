import { eq, sql } from 'drizzle-orm';
import { createElement } from 'react';
import type { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { users } from '@/db/schema/users';
import { type AnyActor, systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { env } from '@/lib/env';
import { newId } from '@/lib/ids';
import { type Mail, queueMail } from '@/lib/mail/compose';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { AccountClosedMail, AccountExistsMail } from '@/lib/mail/templates/account';
import { recordAudit } from '@/lib/platform/audit/record';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { requireFlag } from '@/lib/settings/feature-flags';
import { describeConsents, recordConsents } from '@/lib/settings/legal/documents';
import type { AgreedVersions } from '@/lib/settings/legal/legal';
import { registerBody } from './contract';
import { createEmailToken } from './email-token';
import { hashChosenPassword } from './password';
import { route } from './route';
import { verificationMail } from './verify-email';

/**
 * Creates a Pending account and mails its verification link. For the address of an existing account nothing changes,
 * and a mail says so. The address of a deleted account cannot be registered again, because its records are kept; a mail
 * says so. The response does not reveal which case applies, neither by content nor by time: one hash, and the same
 * statements in the same order, some of which write nothing.
 * @param role the role of the portal's accounts
 * @throws AppError not_configured while registration is disabled, invalid_input for a password that is easy to guess
 */
export async function register(
  caller: AnyActor,
  role: 'User' | 'Seller',
  { name, email, password, agreedTo }: Omit<z.output<typeof registerBody>, 'agreedTo'> & { agreedTo?: AgreedVersions },
): Promise<void> {
  await requireFlag(role === 'Seller' ? 'seller-registration' : 'registration');
  const passwordHash = await hashChosenPassword(password, { name, email });
  await db().transaction(async (tx) => {
    const id = newId();
    await tx.insert(users).values({ id, name, email, passwordHash, role, status: 'Pending' }).onConflictDoNothing();
    const holder = await findHolder(tx, email);
    // The id exists only if the account is new: for other accounts no link is stored, and earlier links stay valid.
    const token = await createEmailToken(tx, id, 'verify-email');
    const consents = await recordConsents(tx, id, agreedTo ?? {});
    const outcome = holder.id === id ? 'new' : holder.deletedAt === null ? 'known' : 'closed';
    await queueMail(tx, registrationMail(outcome, { email: holder.email, role, token }));
    await recordAudit(tx, caller, {
      action: outcome === 'new' ? 'user.registered' : 'user.registration_refused',
      details: `${holder.email} ${outcomeDetails[outcome](role)}${describeConsents(consents)}`,
      entityType: 'user',
      entityId: holder.id,
    });
  });
}

const outcomeDetails: Record<RegistrationOutcome, (role: string) => string> = {
  new: (role) => `created a ${role} account and was sent a verification link.`,
  known: (role) => `requested a ${role} account, already has one, and was sent an email that says so.`,
  closed: (role) => `requested a ${role} account, had one that was deleted, and was sent an email that says so.`,
};

/** Finds the account of the address after the insert, which guarantees that there is one. */
async function findHolder(tx: Executor, email: string) {
  const [holder] = await tx
    .select({ id: users.id, email: users.email, deletedAt: users.deletedAt })
    .from(users)
    .where(eq(sql`lower(${users.email})`, email.toLowerCase()));
  if (!holder) throw new Error('The address is neither new nor known.');
  return holder;
}

/** The state of an address: new, of an existing account, or of a deleted account. */
type RegistrationOutcome = 'new' | 'known' | 'closed';

/**
 * Builds the mail that follows a registration. Only the mail reveals the outcome, never the response.
 * @param token the token of the verification link; used for a new account only
 */
function registrationMail(
  outcome: RegistrationOutcome,
  { email, role, token }: { email: string; role: 'User' | 'Seller'; token: string },
): Mail {
  if (outcome === 'new') return verificationMail(email, token);
  if (outcome === 'closed') {
    return {
      kind: 'account-closed',
      to: email,
      subject: 'Your account was closed',
      body: (context) => createElement(AccountClosedMail, context),
    };
  }
  const forgot = `${env().APP_URL}${role === 'Seller' ? '/seller/forgot' : '/user/forgot'}`;
  return {
    kind: 'account-exists',
    to: email,
    subject: 'You already have an account',
    body: (context) => createElement(AccountExistsMail, { ...context, url: forgot }),
  };
}

/** Serves POST …/auth/register and its legacy path: answers 201 for a new and a known email alike. */
export const registerRoute = () =>
  route(
    {
      access: 'public',
      summary: 'Creates an account; the response does not reveal whether the email is known.',
      status: 201,
      errors: ['rate_limited', 'not_configured'],
      body: registerBody,
    },
    async ({ body, ip, requestId }) => {
      await consumeLimit('register', { account: body.email, address: ip });
      await register(systemActor(systemActors.registration, 'web', { ip, requestId }), 'User', body);
      deliverAfterResponse();
    },
  );
