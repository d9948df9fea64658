import { isAdminRole, type Permission } from './permissions';

/** What somebody is and may do, or what a role or a list of features would let them. */
export type Rights = { role: string; permissions: readonly Permission[] };

/**
 * Does the first hold everything the second does? Nobody gives, takes or looks after rights above their own: an admin is
 * covered by admins alone, everybody else by whoever holds at least the same permissions.
 */
export function covers(holder: Rights, other: Rights): boolean {
  if (isAdminRole(holder.role)) return true;
  if (isAdminRole(other.role)) return false;
  return other.permissions.every((permission) => holder.permissions.includes(permission));
}
