import { z } from 'zod';
import { getRolePermissions, permissions, type RoleRow } from '@/lib/access/permissions';
import { permissionNames } from '@/lib/auth/contract';
import { nameField } from '@/lib/platform/http/fields';

/** The name of a role. */
export const roleName = nameField('Enter a role name.', 60, 'Use at most 60 characters for the name.')
  // The name is part of a URL path, where these are relative segments.
  .refine((name) => name !== '.' && name !== '..', 'Use a name that contains letters.');

/** POST /api/acl/roles. */
export const createRoleBody = z.object({ name: roleName });

/** The role name in a URL, ignoring case. */
export const roleParams = z.object({ roleName: z.string().trim().min(1).max(200) });

/** POST and DELETE /api/acl/roles/{roleName}/permissions. */
export const permissionBody = z.object({
  permName: z.enum(permissions, `Use one of ${permissions.join(', ')}.`),
});

export const userParams = z.object({ userId: z.string().trim().min(1).max(64) });

/** POST /api/acl/users/{userId}/roles. */
export const assignRoleBody = z.object({
  roleName: nameField('Choose a role.', 200),
});

/** GET /api/acl/permissions. */
export const permissionResponse = z
  .object({
    name: z.enum(permissions),
    description: z.string().describe('What the permission allows, in a sentence or two.'),
  })
  .meta({ title: 'Permission' });

/** GET /api/acl/roles. */
export const roleResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    isBuiltIn: z.boolean(),
    people: z.int().describe('The number of users with this role, counted up to a limit.'),
    isCapped: z.boolean().describe('Whether there are more users than `people`.'),
  })
  .meta({ title: 'Role' });

/** GET /api/acl/roles-with-permissions. */
export const roleWithPermissionsResponse = roleResponse
  .extend({ permissions: permissionNames })
  .meta({ title: 'RoleWithPermissions' });

/** POST /api/acl/users/{userId}/roles. */
export const assignedRoleResponse = z.object({ ok: z.literal(true), userId: z.string(), role: z.string() });

/** A role of GET /api/acl/roles. `people` is the number of its users, up to a cap. */
type RoleView = z.output<typeof roleResponse>;

/** A role of GET /api/acl/roles-with-permissions. */
export type RoleWithPermissionsView = z.output<typeof roleWithPermissionsResponse>;

export function roleView({ name, isBuiltIn, userCount, isCapped }: RoleRow): RoleView {
  return { id: name, name, isBuiltIn, people: userCount, isCapped };
}

export function roleWithPermissionsView(row: RoleRow): RoleWithPermissionsView {
  return { ...roleView(row), permissions: getRolePermissions(row) };
}
