import { route } from '@/lib/auth/route';
import { roleParams } from '@/lib/roles/contract';
import { deleteRole } from '@/lib/roles/roles';

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
