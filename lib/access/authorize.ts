import { and, eq, isNull, sql } from 'drizzle-orm';
import { advisoryLock } from '@/db/advisory-locks';
import type { Executor } from '@/db/client';
import { users } from '@/db/schema/users';
import { AppError, signedOutMessage, viewOnlyMessage } from '@/lib/errors';
import { type AccountRight, hasAccountRight, isAccountRight, isOpenToUsers, personalAccount } from './account-roles';
import { shownName } from './accounts';
import type { Actor } from './actor';
import {
  covers,
  hasAllPermissions,
  isAdminRole,
  isPermission,
  isSellerRole,
  type Permission,
  permissions,
  type Rights,
} from './permissions';
import { limitToScopes } from './token-scopes';

/**
 * Who has access: everyone, signed-in users, members of the account whose role has a right, sellers, or staff with a
 * permission (any one of a list).
 */
export type Access = 'public' | 'session' | AccountRight | 'seller' | Permission | readonly Permission[];

type Caller = Rights & Partial<Pick<Actor, 'accountRole'>>;

/** Checks whether the user holds the permission. Staff also need AdminDashboard, without which no other counts. */
export function hasPermission(actor: Rights, permission: Permission): boolean {
  if (hasAllPermissions(actor)) return true;
  return actor.permissions.includes('AdminDashboard') && actor.permissions.includes(permission);
}

/** Checks access for pages, route handlers and actions. */
export function mayAccess(actor: Caller, access: Access): boolean {
  if (access === 'public' || access === 'session') return true;
  if (typeof access !== 'string') return access.some((permission) => hasPermission(actor, permission));
  if (isAccountRight(access)) return actor.accountRole !== undefined && hasAccountRight(actor.accountRole, access);
  return access === 'seller' ? isSellerRole(actor.role) : hasPermission(actor, access);
}

/**
 * Returns the actor in the account to which an access belongs: sellers and staff act in their personal one, whichever they
 * chose as buyers.
 */
export const inAccountOf = (actor: Actor, access: Exclude<Access, 'public'>): Actor =>
  isOpenToUsers(access) || actor.accountId === actor.userId ? actor : { ...actor, ...personalAccount(actor.userId) };

/**
 * Returns the actor, as a seller and as staff in the personal account.
 * @throws AppError unauthenticated (401) without an actor, forbidden (403) without access
 */
export function requireAccess(actor: Actor | null, access: Exclude<Access, 'public'>): Actor {
  if (!actor) throw new AppError('unauthenticated', signedOutMessage);
  if (mayAccess(actor, access)) return inAccountOf(actor, access);
  if (isAccountRight(access)) {
    const message = `Your role in ${actor.accountName || 'this account'} (${actor.accountRole}) does not allow this.`;
    throw new AppError('forbidden', `${message} Ask an owner of the account.`);
  }
  throw new AppError('forbidden', 'You do not have permission to do this.');
}

/**
 * Refuses every call of a session that shows another user's portal. `route()` and `action()` call it for all that is not
 * public, and `recordAudit` refuses the change of such an actor once more.
 * @throws AppError view_only
 */
export function requireNotViewing(actor: Pick<Actor, 'viewing'>): void {
  if (actor.viewing) throw new AppError('view_only', viewOnlyMessage);
}

/** Returns the effective permissions. The Admin role has all of them without rows in the database. */
export function getEffectivePermissions(actor: Rights): readonly Permission[] {
  return hasAllPermissions(actor) ? permissions : actor.permissions;
}

/**
 * The permissions from the user's role and from features granted to the user, as an SQL array of names. For queries
 * that select from `users`. The columns are written out because Drizzle omits the table's name in a query of one table.
 */
export const grantedPermissions = sql<string[]>`array(
  select role_permissions.permission from role_permissions where role_permissions.role_name = users.role
  union select unnest(feature_roles.permissions) from feature_roles where feature_roles.user_id = users.id
  order by 1)`;

/** The name of an account, or '' for the own personal one. For queries that select from `accounts` and `users`. */
export const teamName = sql<string>`case when accounts.id = users.id then '' else ${shownName} end`;

/** The ids of the accounts of which the user is a member. For queries that select from `users`. */
export const memberAccounts = sql<string[]>`array(
  select account_members.account_id from account_members where account_members.user_id = users.id)`;

/**
 * Requires the actor to hold the given rights.
 * @param requested the rights to grant, revoke or manage
 * @throws AppError forbidden, naming the missing permissions
 */
export function requireCovered(actor: Rights, requested: Rights): void {
  if (covers(actor, requested)) return;
  if (isAdminRole(requested.role)) throw new AppError('forbidden', 'Only an admin can change or create an admin.');
  const missing = requested.permissions.filter((permission) => !actor.permissions.includes(permission));
  throw new AppError(
    'forbidden',
    `This requires permissions that you do not have: ${missing.join(', ')}. Ask an admin.`,
  );
}

/**
 * Takes the lock that serializes changes of rights, and reads the actor's rights again: when two admins demote each
 * other at the same time, the second is no longer an admin.
 * @returns the actor with current rights
 * @throws AppError unauthenticated when the actor was suspended or deleted in the meantime, forbidden without access
 */
export async function lockRights(tx: Executor, actor: Actor, access: Exclude<Access, 'public'>): Promise<Actor> {
  requireNotViewing(actor);
  await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLock('rights')})`);
  const held = await findRights(tx, actor.userId);
  if (!held) throw new AppError('unauthenticated', signedOutMessage);
  const current = actor.token ? limitToScopes(actor.token.scopes, held) : held.permissions;
  return requireAccess({ ...actor, role: held.role, status: 'Active', permissions: current }, access);
}

/** Reads the rights of an Active user; undefined for others. */
export async function findRights(tx: Executor, userId: string) {
  const [found] = await tx
    .select({ email: users.email, role: users.role, permissions: grantedPermissions })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.status, 'Active'), isNull(users.deletedAt)));
  return found && { ...found, permissions: found.permissions.filter(isPermission) };
}
