import { deleteRole } from '@/lib/acl/delete-role';
import { roleParams } from '@/lib/acl/schemas';
import { route } from '@/lib/http/route';

export const DELETE = route({ access: 'ManageRoles', params: roleParams }, async ({ actor, params }) => {
  await deleteRole(actor, params.roleName);
  return { ok: true };
});
