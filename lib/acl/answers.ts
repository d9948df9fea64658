import { z } from 'zod';
import { permissions } from './permissions';

export const permissionNames = z.array(z.enum(permissions));

/** GET /api/acl/permissions. */
export const permissionAnswer = z
  .object({ name: z.enum(permissions), description: z.string().describe('What it opens, in a sentence or two.') })
  .meta({ title: 'Permission' });

/** GET /api/acl/roles. */
export const roleAnswer = z
  .object({
    id: z.string(),
    name: z.string(),
    isBuiltIn: z.boolean(),
    people: z.int().describe('How many hold it.'),
  })
  .meta({ title: 'Role' });

/** GET /api/acl/roles-with-permissions. */
export const roleWithPermissionsAnswer = roleAnswer
  .extend({ permissions: permissionNames })
  .meta({ title: 'RoleWithPermissions' });

/** POST /api/acl/users/{userId}/roles. */
export const assignedRoleAnswer = z.object({ ok: z.literal(true), userId: z.string(), role: z.string() });
