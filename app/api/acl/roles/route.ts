import { z } from 'zod';
import { listRoles } from '@/lib/access/roles';
import { route } from '@/lib/auth/route';
import {
  createRoleBody,
  roleResponse,
  roleView,
  roleWithPermissionsResponse,
  roleWithPermissionsView,
} from '@/lib/roles/contract';
import { createRole } from '@/lib/roles/roles';

export const GET = route(
  { access: ['ManageRoles', 'ManageUsers'], summary: 'Lists all roles.', response: z.array(roleResponse) },
  async () => (await listRoles()).map(roleView),
);

export const POST = route(
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
);
