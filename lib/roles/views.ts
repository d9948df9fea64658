import type { z } from 'zod';
import { getRolePermissions, type RoleRow } from '@/lib/access/permissions';
import type { roleResponse, roleWithPermissionsResponse } from './schemas';

/** A role of GET /api/acl/roles. `people` is the number of its users, up to a cap. */
export type RoleView = z.output<typeof roleResponse>;

/** A role of GET /api/acl/roles-with-permissions. */
export type RoleWithPermissionsView = z.output<typeof roleWithPermissionsResponse>;

export function roleView({ name, isBuiltIn, userCount, isCapped }: RoleRow): RoleView {
  return { id: name, name, isBuiltIn, people: userCount, isCapped };
}

export function roleWithPermissionsView(row: RoleRow): RoleWithPermissionsView {
  return { ...roleView(row), permissions: getRolePermissions(row) };
}
