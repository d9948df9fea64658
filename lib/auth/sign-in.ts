import { and, eq, isNull, sql } from 'drizzle-orm';
import { cookies } from 'next/headers';
import type { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { passkeys } from '@/db/schema/passkeys';
import { sessions, users } from '@/db/schema/users';
import { personalAccount } from '@/lib/access/account-roles';
import type { Actor } from '@/lib/access/actor';
import { grantedPermissions, hasPermission, mayAccess } from '@/lib/access/authorize';
import { isPermission } from '@/lib/access/permissions';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { recordUserAudit } from '@/lib/platform/audit/record';
import { consumeLimit, refundAttempt, resetLimit } from '@/lib/platform/rate-limits/consume';
import { describeConsents, recordConsents, requireConsents } from '@/lib/settings/legal/documents';
import type { AgreedVersions } from '@/lib/settings/legal/legal';
import type { signInBody } from './contract';
import { isKnownAddress, recognizeDevice } from './known-device';
import { verifyPassword } from './password';
import { listOpenPortals } from './portal-access';
import { getOwnPortal } from './portal-home';
import { type Portal, portals, statusMessages } from './portals';
import { checkSecondFactor } from './second-factor';
import { decodeSessionToken, encodeSessionToken, isSecure, sessionCookieName, sessionSeconds } from './session-token';
import { recordStepFailure } from './sign-in-failures';
import { hasSecondFactor } from './two-step';

type SignIn = z.output<typeof signInBody>;

export type SignInCaller = { ip: string; userAgent: string; requestId: string };

/**
 * Signs a user in at a portal and sets the cookie. An unknown email and a wrong password have the same response and
 * response time.
 * @throws AppError rate_limited after too many failures for the account or from the address
 * @throws AppError unauthenticated 'Invalid credentials.', or with `fields.code` when a second factor is required
 * @throws AppError forbidden for an account that may not sign in, or a role without access to the portal, or with
 * `fields.agreement` as `requireAgreement`
 */
export async function signIn(portal: Portal, input: SignIn, caller: SignInCaller) {
  const { user, actor, limited } = await checkPassword(portal, input, caller);
  // Before the second factor, whose codes work once.
  await requireAgreement(actor, input.agreedTo).catch(async (thrown: unknown) => {
    await refundAttempt('signIn', limited);
    throw thrown;
  });
  if (user.hasSecondFactor) {
    // A password without the code is neither a failure nor a success that clears earlier failures.
    if (input.code === '') await refundAttempt('signIn', limited);
    const check = () => checkSecondFactor(actor, user.totpSecret, input.code);
    await (input.code === '' ? check() : recordStepFailure('code', actor, check));
  }
  await resetLimit('signIn', limited);
  await openSession(actor, user, { ...caller, portal, remember: input.remember, agreedTo: input.agreedTo });
  return actor;
}

/**
 * Requires the agreement to the published documents of customers and sellers, after their identity was checked.
 * @param agreedTo undefined for a program, which shows no documents
 * @throws AppError forbidden with `fields.agreement`
 */
export async function requireAgreement(actor: Actor, agreedTo: AgreedVersions | undefined): Promise<void> {
  if (agreedTo && !hasPermission(actor, 'AdminDashboard')) await requireConsents(actor.userId, agreedTo);
}

/**
 * Checks the password, the first step of a sign-in. The attempt stays counted until the caller uncounts it or resets
 * the limit.
 * @throws AppError as `signIn`
 */
export function checkPassword(portal: Portal, input: PasswordInput, caller: SignInCaller) {
  const attempt = { email: input.email, ip: caller.ip, requestId: caller.requestId };
  return recordStepFailure('password', attempt, () => findVerifiedUser(portal, input, caller));
}

/** What a sign-in reads of an account. */
export const signInColumns = {
  id: users.id,
  name: users.name,
  email: users.email,
  role: users.role,
  status: users.status,
  passwordHash: users.passwordHash,
  hasSecondFactor,
  permissions: grantedPermissions,
};

type PasswordInput = Pick<z.output<typeof signInBody>, 'email' | 'password'>;

async function findVerifiedUser(portal: Portal, input: PasswordInput, caller: SignInCaller) {
  // Counted before the check, so that concurrent attempts cannot exceed the limit.
  const limited = { account: input.email, address: caller.ip };
  await consumeLimit('signIn', limited, { isExempt: () => isKnownAddress(input.email, caller.ip) });
  const [user] = await db()
    .select({ ...signInColumns, totpSecret: users.totpSecret })
    .from(users)
    .where(and(eq(sql`lower(${users.email})`, input.email.toLowerCase()), isNull(users.deletedAt)));

  const isRight = await verifyPassword(user?.passwordHash ?? null, input.password);
  if (!user || !isRight) throw new AppError('unauthenticated', 'Invalid credentials.');
  return { user, actor: requirePortalAccess(portal, user, caller), limited };
}

/**
 * Builds the actor of an account that may sign in at this portal.
 * @throws AppError forbidden for an account that may not sign in, or, with the URL of the account's own sign-in, for a
 * role without access to the portal
 */
export function requirePortalAccess(
  portal: Portal,
  user: Pick<typeof users.$inferSelect, 'id' | 'name' | 'email' | 'role' | 'status'> & { permissions: string[] },
  { ip, requestId }: SignInCaller,
): Actor {
  if (user.status !== 'Active') throw new AppError('forbidden', statusMessages[user.status]);
  const { id: userId, name, email, role, status } = user;
  const person = { userId, name, email, role, status, permissions: user.permissions.filter(isPermission) };
  if (!mayAccess(person, portals[portal].access))
    throw new AppError('forbidden', portalMessages[portal], { url: portals[getOwnPortal(person)].signIn });
  const account = { ...personalAccount(userId), memberOf: [] };
  return {
    ...person,
    ...account,
    sessionId: '',
    hasRecentAuthentication: true,
    twoStepDueAt: null,
    source: 'web',
    ip,
    requestId,
  };
}

/**
 * Starts the session of a user whose factors were checked, sets the cookie, and records new consents.
 * @param checked the account's data on which the check was based
 * @throws AppError unauthenticated when it has changed
 */
export async function openSession(
  actor: Actor,
  checked: Checked,
  {
    portal,
    remember,
    passkey,
    agreedTo = {},
    ...caller
  }: SignInCaller & {
    portal: Portal;
    remember: boolean;
    passkey?: { id: string; name: string };
    agreedTo?: AgreedVersions | undefined;
  },
): Promise<void> {
  await db().transaction(async (tx) => {
    await requireUnchanged(tx, checked, passkey?.id);
    await startSession(tx, actor, { ...caller, remember });
    const consents = await recordConsents(tx, actor.userId, agreedTo);
    const means = passkey ? ` with the passkey "${passkey.name}"` : '';
    await recordUserAudit(
      tx,
      actor,
      'session.started',
      `${actor.email} signed in to the ${portal} portal${means}.${describeConsents(consents)}`,
    );
  });
}

type Checked = Pick<typeof users.$inferSelect, 'id' | 'passwordHash'> & { hasSecondFactor: boolean };

/**
 * Checks that password, status and second factor have not changed since they were verified, which takes time. Locks the
 * row, so that a concurrent change runs after the session has started and ends it.
 * @throws AppError unauthenticated when they have changed
 */
async function requireUnchanged(tx: Executor, checked: Checked, passkeyId?: string): Promise<void> {
  const own = and(eq(users.id, checked.id), isNull(users.deletedAt));
  await tx.select({ id: users.id }).from(users).where(own).for('no key update');
  // A separate statement, which sees changes that were committed while the first one waited for the lock.
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

const portalMessages: Record<Portal, string> = {
  user: 'This account cannot sign in here.',
  admin: 'Not an admin account.',
  seller: 'This is not a seller account.',
};

/**
 * Creates a session and sets its cookie, after the password was checked. The previous session of this browser ends,
 * because its cookie is replaced. Without `remember` the cookie ends with the browser, and the session after twelve
 * hours; a session of staff always ends after twelve hours. A sign-in on a new device is mailed to the user.
 * @param tx the transaction that also writes the audit entry
 * @param byLink a mailed link was followed instead: sensitive actions then ask for the password
 */
export async function startSession(
  tx: Executor,
  person: Pick<Actor, 'userId' | 'email' | 'role' | 'permissions'>,
  {
    ip,
    userAgent,
    remember = false,
    byLink = false,
  }: Pick<SignInCaller, 'ip' | 'userAgent'> & { remember?: boolean; byLink?: boolean },
): Promise<void> {
  const jar = await cookies();
  await endSessionOfToken(tx, jar.get(sessionCookieName())?.value);
  await recognizeDevice(tx, person, { ip, userAgent });
  const sessionId = newId();
  const { userId } = person;
  const isLong = remember && !hasPermission(person, 'AdminDashboard');
  const seconds = isLong ? sessionSeconds.remembered : sessionSeconds.normal;
  await tx.insert(sessions).values({
    id: sessionId,
    userId,
    ip,
    userAgent: userAgent.slice(0, 400),
    expiresAt: new Date(Date.now() + seconds * 1000),
    ...(byLink && { authenticatedAt: new Date(0) }),
  });
  await tx.update(users).set({ lastSeenAt: sql`now()` }).where(eq(users.id, userId));
  jar.set(sessionCookieName(), await encodeSessionToken(userId, sessionId, seconds, listOpenPortals(person)), {
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(),
    path: '/',
    ...(remember && { maxAge: seconds }),
  });
}

async function endSessionOfToken(tx: Executor, token: string | undefined): Promise<void> {
  const claims = token ? await decodeSessionToken(token) : null;
  if (!claims) return;
  await tx
    .update(sessions)
    .set({ endedAt: sql`now()` })
    .where(and(eq(sessions.id, claims.sessionId), eq(sessions.userId, claims.userId), isNull(sessions.endedAt)));
}
