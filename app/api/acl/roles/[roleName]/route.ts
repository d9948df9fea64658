import { route } from '@/lib/auth/route';
import { deleteRole } from '@/lib/roles/delete';
import { roleParams } from '@/lib/roles/schemas';

export const DELETE = route(
  {
    access: 'ManageRoles',
    recentAuthentication: true,
    summary: 'Deletes a role that no user has.',
    errors: ['not_found', 'conflict'],
    params: roleParams,
  },
  async ({ actor, params }) => {
    await deleteRole(actor, params.roleName);
  },
);
