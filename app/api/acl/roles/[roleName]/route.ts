import { deleteRole } from '@/lib/acl/delete-role';
import { roleParams } from '@/lib/acl/schemas';
import { route } from '@/lib/http/route';

export const DELETE = route(
  {
    access: 'ManageRoles',
    recentAuthentication: true,
    summary: 'Deletes a role that nobody holds.',
    errors: ['not_found', 'conflict'],
    params: roleParams,
  },
  async ({ actor, params }) => {
    await deleteRole(actor, params.roleName);
  },
);
