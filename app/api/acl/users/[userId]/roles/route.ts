import { assignRoleBody, userParams } from '@/lib/acl/schemas';
import { route } from '@/lib/http/route';
import { assignRole } from '@/lib/users/assign-role';

const access = ['ManageRoles', 'ManageUsers'] as const;

/** One role a person: it takes the place of the one they had. */
export const POST = route({ access, params: userParams, body: assignRoleBody }, async ({ actor, params, body }) => {
  const { id, role } = await assignRole(actor, params.userId, body.roleName, access);
  return { ok: true, userId: id, role };
});
