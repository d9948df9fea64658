import type { Actor } from '../auth/actor';
import { AppError } from '../errors';
import { isAdminRole, isSellerRole, type Permission } from './permissions';

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
