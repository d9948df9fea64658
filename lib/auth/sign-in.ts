import { and, eq, isNull, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { db, type Executor } from '../../db/client';
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
import { startSession } from './start-session';

type Caller = { ip: string; userAgent: string; requestId: string };

/**
 * Signs a person in at one of the three portals and sets the cookie. Unknown e-mail and wrong password look and take
 * the same.
 * @throws AppError rate_limited after too many failures for the account or from the address
 * @throws AppError unauthenticated 'Invalid credentials.', or with `fields.code` when the authenticator's code is due
 * @throws AppError forbidden for a status that may not sign in, or a role this portal does not admit
 */
export async function signIn(portal: Portal, input: z.output<typeof signInBody>, caller: Caller) {
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
      totpEnabledAt: users.totpEnabledAt,
      permissions: grantedPermissions,
    })
    .from(users)
    .where(and(eq(sql`lower(${users.email})`, input.email.toLowerCase()), isNull(users.deletedAt)));

  const isRight = await verifyPassword(user?.passwordHash ?? null, input.password);
  if (!user || !isRight) throw new AppError('unauthenticated', 'Invalid credentials.');
  if (user.status !== 'Active') throw new AppError('forbidden', refusedStatus[user.status]);
  const { id, name, email, role, status } = user;
  const person = { id, name, email, role, status, permissions: user.permissions.filter(isPermission) };
  if (!mayAccess(person, portals[portal].access)) throw new AppError('forbidden', refusedPortal[portal]);
  const actor: Actor = {
    ...person,
    userId: id,
    sessionId: '',
    hasRecentAuthentication: true,
    source: 'web',
    ip: caller.ip,
    requestId: caller.requestId,
  };
  if (user.totpEnabledAt) {
    // The first half of a sign-in in two steps is no failure, nor does it forgive wrong codes.
    if (input.code === '') await takeTryBack('signIn', limited);
    await checkSecondFactor(actor, user.totpSecret, input.code);
  }
  await forgiveLimit('signIn', limited);

  await db().transaction(async (tx) => {
    await requireUnchanged(tx, user);
    await startSession(tx, actor, { ...caller, remember: input.remember });
    await recordAudit(tx, actor, {
      action: 'session.started',
      details: `${person.email} signed in to the ${portal} portal.`,
      entityType: 'user',
      entityId: person.id,
    });
  });
  return person;
}

/**
 * Checking a password takes time, in which it may be reset, the account suspended or its second factor turned on. Locks
 * the row, so that whoever changes it now comes after this session and ends it.
 * @throws AppError unauthenticated when what was checked is no longer so
 */
async function requireUnchanged(
  tx: Executor,
  checked: Pick<typeof users.$inferSelect, 'id' | 'passwordHash' | 'totpEnabledAt'>,
): Promise<void> {
  const [now] = await tx
    .select({ passwordHash: users.passwordHash, status: users.status, totpEnabledAt: users.totpEnabledAt })
    .from(users)
    .where(and(eq(users.id, checked.id), isNull(users.deletedAt)))
    .for('no key update');
  const isSame =
    now?.passwordHash === checked.passwordHash &&
    now.status === 'Active' &&
    now.totpEnabledAt?.getTime() === checked.totpEnabledAt?.getTime();
  if (!isSame) throw new AppError('unauthenticated', 'Invalid credentials.');
}

const refusedPortal: Record<Portal, string> = {
  user: 'This account cannot sign in here.',
  admin: 'Not an admin account.',
  seller: 'This is not a seller account.',
};
