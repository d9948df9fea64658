import { isAdminRole, type Permission, permissions } from './permissions';

/** What somebody may do in effect: the Admin role has the whole catalogue without a row for it (decision 3). */
export function effectivePermissions(actor: {
  role: string;
  permissions: readonly Permission[];
}): readonly Permission[] {
  return isAdminRole(actor.role) ? permissions : actor.permissions;
}
