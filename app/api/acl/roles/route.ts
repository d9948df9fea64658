import { z } from 'zod';
import { roleAnswer, roleWithPermissionsAnswer } from '@/lib/acl/answers';
import { createRole } from '@/lib/acl/create-role';
import { listRoles } from '@/lib/acl/queries';
import { createRoleBody } from '@/lib/acl/schemas';
import { roleView, roleWithPermissionsView } from '@/lib/acl/views';
import { route } from '@/lib/http/route';

export const GET = route(
  { access: ['ManageRoles', 'ManageUsers'], summary: 'Every role.', answer: z.array(roleAnswer) },
  async () => (await listRoles()).map(roleView),
);

export const POST = route(
  {
    access: 'ManageRoles',
    recentAuthentication: true,
    summary: 'Makes a role that allows nothing yet.',
    answer: roleWithPermissionsAnswer,
    status: 201,
    errors: ['conflict'],
    body: createRoleBody,
  },
  async ({ actor, body }) => roleWithPermissionsView(await createRole(actor, body.name)),
);
