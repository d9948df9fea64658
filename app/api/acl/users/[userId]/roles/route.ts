import { route } from '@/lib/auth/route';
import { assignedRoleResponse, assignRoleBody, userParams } from '@/lib/roles/contract';
import { assignRole } from '@/lib/users/users';

const access = ['ManageRoles', 'ManageUsers'] as const;

/** Replaces the user's role. A user has exactly one. */
export const POST = route(
  {
    access,
    scope: 'none',
    summary: "Replaces a user's role.",
    response: assignedRoleResponse,
    errors: ['not_found', 'conflict', 'reauthentication_required'],
    params: userParams,
    body: assignRoleBody,
  },
  async ({ actor, params, body }) => {
    const { id, role } = await assignRole(actor, params.userId, body.roleName, access);
    return { ok: true as const, userId: id, role };
  },
);
