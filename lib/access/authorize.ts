import { and, eq, isNull, sql } from 'drizzle-orm';
import { advisoryLock } from '../../db/advisory-locks';
import type { Executor } from '../../db/client';
import { users } from '../../db/schema/users';
import { AppError } from '../errors';
import type { Actor } from './actor';
import {
  covers,
  isAdminRole,
  isPermission,
  isSellerRole,
  type Permission,
  permissions,
  type Rights,
} from './permissions';

/** Who may come in: everybody, anybody signed in, sellers, or staff with a permission (of several: any one). */
export type Access = 'public' | 'session' | 'seller' | Permission | readonly Permission[];

/**
 * May this person enter the admin area and use this permission?
 * Staff need AdminDashboard to be in the area at all (decision 3).
 */
export function hasPermission(actor: Pick<Actor, 'role' | 'permissions'>, permission: Permission): boolean {
  if (isAdminRole(actor.role)) return true;
  return actor.permissions.includes('AdminDashboard') && actor.permissions.includes(permission);
}

/** The one decision about access; pages, handlers and actions all ask it. */
export function mayAccess(actor: Pick<Actor, 'role' | 'permissions'>, access: Access): boolean {
  if (access === 'public' || access === 'session') return true;
  if (typeof access !== 'string') return access.some((permission) => hasPermission(actor, permission));
  return access === 'seller' ? isSellerRole(actor.role) : hasPermission(actor, access);
}

/**
 * @throws AppError unauthenticated (401) for nobody, forbidden (403) for the wrong role
 */
export function requireAccess(actor: Actor | null, access: Exclude<Access, 'public'>): Actor {
  if (!actor) throw new AppError('unauthenticated', 'Please sign in to continue.');
  if (!mayAccess(actor, access)) throw new AppError('forbidden', 'Your account is not allowed to do this.');
  return actor;
}

/** What somebody may do in effect: the Admin role has the whole catalogue without a row for it (decision 3). */
export function effectivePermissions(actor: {
  role: string;
  permissions: readonly Permission[];
}): readonly Permission[] {
  return isAdminRole(actor.role) ? permissions : actor.permissions;
}

/**
 * What somebody's role allows and what features were given to them besides, as an SQL array of names. For a query that
 * reads from `users` under that name; written out, because a query of one table leaves the table's name away.
 */
export const grantedPermissions = sql<string[]>`array(
  select role_permissions.permission from role_permissions where role_permissions.role_name = users.role
  union select unnest(feature_roles.permissions) from feature_roles where feature_roles.user_id = users.id
  order by 1)`;

/**
 * @param wanted what would be given, taken or changed
 * @throws AppError forbidden when it is more than the actor holds, naming what is missing
 */
export function requireCovered(actor: Rights, wanted: Rights): void {
  if (covers(actor, wanted)) return;
  if (isAdminRole(wanted.role)) throw new AppError('forbidden', 'Only an admin can do this to an admin or make one.');
  const missing = wanted.permissions.filter((permission) => !actor.permissions.includes(permission));
  throw new AppError(
    'forbidden',
    `This takes rights that you do not have yourself: ${missing.join(', ')}. Ask an admin.`,
  );
}

/**
 * Takes its turn among those who change people's rights, and reads the actor's own anew: two admins who demote each
 * other at once come one after the other, and the second is no admin any more.
 * @returns the actor as the database has them now
 * @throws AppError unauthenticated when they were suspended or deleted meanwhile, forbidden when they may no longer do it
 */
export async function lockRights(tx: Executor, actor: Actor, access: Exclude<Access, 'public'>): Promise<Actor> {
  await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLock('rights')})`);
  const [now] = await tx
    .select({ role: users.role, status: users.status, permissions: grantedPermissions })
    .from(users)
    .where(and(eq(users.id, actor.userId), eq(users.status, 'Active'), isNull(users.deletedAt)));
  if (!now) throw new AppError('unauthenticated', 'Please sign in to continue.');
  return requireAccess({ ...actor, ...now, permissions: now.permissions.filter(isPermission) }, access);
}
