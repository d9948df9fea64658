import { route } from '@/lib/auth/route';
import { permissionBody, roleParams } from '@/lib/roles/contract';
import { grantPermission, revokePermission } from '@/lib/roles/roles';

const declared = {
  access: 'ManageRoles',
  params: roleParams,
  body: permissionBody,
  recentAuthentication: true,
} as const;

export const POST = route(
  { ...declared, summary: 'Grants a permission to a role.', errors: ['not_found', 'conflict'] },
  async ({ actor, params, body }) => {
    await grantPermission(actor, params.roleName, body.permName);
  },
);

export const DELETE = route(
  { ...declared, summary: 'Revokes a permission from a role.', errors: ['not_found', 'conflict'] },
  async ({ actor, params, body }) => {
    await revokePermission(actor, params.roleName, body.permName);
  },
);
