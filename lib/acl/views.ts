import { isAdminRole, isPermission, type Permission, permissions } from './permissions';

/** A role, as `queries.ts` reads it. */
export type RoleRow = { name: string; isBuiltIn: boolean; permissions: string[]; people: number };

/** A role of GET /api/acl/roles. `people` counts those who hold it. */
export type RoleView = { id: string; name: string; isBuiltIn: boolean; people: number };

/** A role of GET /api/acl/roles-with-permissions. */
export type RoleWithPermissionsView = RoleView & { permissions: Permission[] };

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
