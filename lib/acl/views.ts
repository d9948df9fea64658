import type { z } from 'zod';
import type { roleAnswer, roleWithPermissionsAnswer } from './answers';
import { isAdminRole, isPermission, type Permission, permissions } from './permissions';

/** A role, as `queries.ts` reads it. */
export type RoleRow = { name: string; isBuiltIn: boolean; permissions: string[]; people: number };

/** A role of GET /api/acl/roles. `people` counts those who hold it. */
export type RoleView = z.output<typeof roleAnswer>;

/** A role of GET /api/acl/roles-with-permissions. */
export type RoleWithPermissionsView = z.output<typeof roleWithPermissionsAnswer>;

export function roleView({ name, isBuiltIn, people }: RoleRow): RoleView {
  return { id: name, name, isBuiltIn, people };
}

export function roleWithPermissionsView(row: RoleRow): RoleWithPermissionsView {
  return { ...roleView(row), permissions: permissionsOf(row) };
}

/** What a role allows: Admin everything, in the catalogue's order. */
export function permissionsOf({ name, permissions: granted }: Pick<RoleRow, 'name' | 'permissions'>): Permission[] {
  const held = new Set(granted.filter(isPermission));
  return permissions.filter((permission) => isAdminRole(name) || held.has(permission));
}
