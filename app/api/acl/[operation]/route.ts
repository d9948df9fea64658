import { z } from 'zod';
import { getEffectivePermissions } from '@/lib/access/authorize';
import { describePermission, permissions } from '@/lib/access/permissions';
import { listRoles } from '@/lib/access/roles';
import { permissionNames } from '@/lib/auth/contract';
import { joinRoutes, route } from '@/lib/auth/route';
import { permissionResponse, roleWithPermissionsResponse, roleWithPermissionsView } from '@/lib/roles/contract';

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
});
