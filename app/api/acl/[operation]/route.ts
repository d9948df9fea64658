import { z } from 'zod';
import { getEffectivePermissions } from '@/lib/access/authorize';
import { describePermission, permissions } from '@/lib/access/permissions';
import { listRoles } from '@/lib/access/roles';
import { permissionNames } from '@/lib/auth/contract';
import { joinRoutes, route } from '@/lib/auth/route';
import {
  createRoleBody,
  permissionResponse,
  roleResponse,
  roleView,
  roleWithPermissionsResponse,
  roleWithPermissionsView,
} from '@/lib/roles/contract';
import { createRole } from '@/lib/roles/roles';

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  'my-permissions': {
    GET: route(
      { access: 'session', summary: "Lists the caller's permissions.", response: permissionNames.readonly() },
      async ({ actor }) => getEffectivePermissions(actor),
    ),
  },
  permissions: {
    /** All permissions, in the order of their declaration. */
    GET: route(
      { access: 'ManageRoles', summary: 'Lists all permissions.', response: z.array(permissionResponse) },
      async () => permissions.map((name) => ({ name, description: describePermission(name) })),
    ),
  },
  'roles-with-permissions': {
    GET: route(
      {
        access: 'ManageRoles',
        summary: 'Lists all roles with their permissions.',
        response: z.array(roleWithPermissionsResponse),
      },
      async () => (await listRoles()).map(roleWithPermissionsView),
    ),
  },
  roles: {
    GET: route(
      { access: ['ManageRoles', 'ManageUsers'], summary: 'Lists all roles.', response: z.array(roleResponse) },
      async () => (await listRoles()).map(roleView),
    ),
    POST: route(
      {
        access: 'ManageRoles',
        recentAuthentication: true,
        summary: 'Creates a role without permissions.',
        response: roleWithPermissionsResponse,
        status: 201,
        errors: ['conflict'],
        body: createRoleBody,
      },
      async ({ actor, body }) => roleWithPermissionsView(await createRole(actor, body.name)),
    ),
  },
});
