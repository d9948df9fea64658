import { and, eq, isNull, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { db, type Executor } from '../../db/client';
import { passkeys } from '../../db/schema/passkeys';
import { users } from '../../db/schema/users';
import { grantedPermissions } from '../acl/granted-permissions';
import { isPermission } from '../acl/permissions';
import { mayAccess } from '../acl/require';
import { recordAudit } from '../audit/record';
import { AppError } from '../errors';
import { consumeLimit, forgiveLimit, takeTryBack } from '../limits/consume';
import type { Actor } from './actor';
import { checkSecondFactor } from './check-second-factor';
import { knowsAddress } from './knows-address';
import { verifyPassword } from './password';
import { type Portal, portals } from './portals';
import { refusedStatus } from './refused-status';
import type { signInBody } from './schemas';
import { noteRefusals } from './sign-in-failures';
import { startSession } from './start-session';
import { hasSecondFactor } from './two-step';

export type SignInCaller = { ip: string; userAgent: string; requestId: string };

/**
 * Signs a person in at one of the three portals and sets the cookie. Unknown e-mail and wrong password look and take
 * the same.
 * @throws AppError rate_limited after too many failures for the account or from the address
 * @throws AppError unauthenticated 'Invalid credentials.', or with `fields.code` when the authenticator's code is due
 * @throws AppError forbidden for a status that may not sign in, or a role this portal does not admit
 */
export async function signIn(portal: Portal, input: z.output<typeof signInBody>, caller: SignInCaller) {
  const { user, actor, limited } = await checkPassword(portal, input, caller);
  if (user.hasSecondFactor) {
    // The first half of a sign-in in two steps is no failure, nor does it forgive wrong codes.
    if (input.code === '') await takeTryBack('signIn', limited);
    const check = () => checkSecondFactor(actor, user.totpSecret, input.code);
    await (input.code === '' ? check() : noteRefusals('code', actor, check));
  }
  await forgiveLimit('signIn', limited);
  await openSession(actor, user, { ...caller, portal, remember: input.remember });
  return actor;
}

/**
 * The first step of a sign-in. What it counted stays counted: the caller takes it back or forgives it.
 * @throws AppError as `signIn`
 */
export function checkPassword(portal: Portal, input: PasswordInput, caller: SignInCaller) {
  const attempt = { email: input.email, ip: caller.ip, requestId: caller.requestId };
  return noteRefusals('password', attempt, () => findAdmitted(portal, input, caller));
}

type PasswordInput = Pick<z.output<typeof signInBody>, 'email' | 'password'>;

async function findAdmitted(portal: Portal, input: PasswordInput, caller: SignInCaller) {
  // Counted before the password is looked at, so that many tries at once cannot slip past the limit.
  const limited = { account: input.email, address: caller.ip };
  await consumeLimit('signIn', limited, () => knowsAddress(input.email, caller.ip));
  const [user] = await db()
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      role: users.role,
      status: users.status,
      passwordHash: users.passwordHash,
      totpSecret: users.totpSecret,
      hasSecondFactor,
      permissions: grantedPermissions,
    })
    .from(users)
    .where(and(eq(sql`lower(${users.email})`, input.email.toLowerCase()), isNull(users.deletedAt)));

  const isRight = await verifyPassword(user?.passwordHash ?? null, input.password);
  if (!user || !isRight) throw new AppError('unauthenticated', 'Invalid credentials.');
  return { user, actor: admit(portal, user, caller), limited };
}

/**
 * The person as an actor, if the account may sign in at this portal.
 * @throws AppError forbidden for a status that may not sign in, or a role this portal does not admit
 */
export function admit(
  portal: Portal,
  user: Pick<typeof users.$inferSelect, 'id' | 'name' | 'email' | 'role' | 'status'> & { permissions: string[] },
  { ip, requestId }: SignInCaller,
): Actor {
  if (user.status !== 'Active') throw new AppError('forbidden', refusedStatus[user.status]);
  const { id: userId, name, email, role, status } = user;
  const person = { userId, name, email, role, status, permissions: user.permissions.filter(isPermission) };
  if (!mayAccess(person, portals[portal].access)) throw new AppError('forbidden', refusedPortal[portal]);
  return { ...person, sessionId: '', hasRecentAuthentication: true, twoStepDueAt: null, source: 'web', ip, requestId };
}

/**
 * Starts the session of a person whose factors were checked, and sets the cookie.
 * @param checked what the check was based on
 * @throws AppError unauthenticated when that is no longer so
 */
export async function openSession(
  actor: Actor,
  checked: Checked,
  {
    portal,
    remember,
    passkey,
    ...caller
  }: SignInCaller & { portal: Portal; remember: boolean; passkey?: { id: string; name: string } },
): Promise<void> {
  await db().transaction(async (tx) => {
    await requireUnchanged(tx, checked, passkey?.id);
    await startSession(tx, actor, { ...caller, remember });
    const means = passkey ? ` with the passkey "${passkey.name}"` : '';
    await recordAudit(tx, actor, {
      action: 'session.started',
      details: `${actor.email} signed in to the ${portal} portal${means}.`,
      entityType: 'user',
      entityId: actor.userId,
    });
  });
}

type Checked = Pick<typeof users.$inferSelect, 'id' | 'passwordHash'> & { hasSecondFactor: boolean };

/**
 * Checking a password takes time, in which it may be reset, the account suspended or its second factor turned on. Locks
 * the row, so that whoever changes it now comes after this session and ends it.
 * @throws AppError unauthenticated when what was checked is no longer so
 */
async function requireUnchanged(tx: Executor, checked: Checked, passkeyId?: string): Promise<void> {
  const own = and(eq(users.id, checked.id), isNull(users.deletedAt));
  await tx.select({ id: users.id }).from(users).where(own).for('no key update');
  // A statement of its own: it sees what was committed while the one above waited.
  const [now] = await tx
    .select({ passwordHash: users.passwordHash, status: users.status, hasSecondFactor })
    .from(users)
    .where(own);
  const isSame =
    now?.passwordHash === checked.passwordHash &&
    now.status === 'Active' &&
    (passkeyId !== undefined || now.hasSecondFactor === checked.hasSecondFactor);
  const [passkey] = passkeyId === undefined ? [] : await tx.select().from(passkeys).where(eq(passkeys.id, passkeyId));
  if (!isSame || (passkeyId !== undefined && passkey?.userId !== checked.id))
    throw new AppError('unauthenticated', 'Invalid credentials.');
}

const refusedPortal: Record<Portal, string> = {
  user: 'This account cannot sign in here.',
  admin: 'Not an admin account.',
  seller: 'This is not a seller account.',
};
