import { grantPermission } from '@/lib/acl/grant-permission';
import { revokePermission } from '@/lib/acl/revoke-permission';
import { permissionBody, roleParams } from '@/lib/acl/schemas';
import { route } from '@/lib/http/route';

const declared = {
  access: 'ManageRoles',
  params: roleParams,
  body: permissionBody,
  recentAuthentication: true,
} as const;

export const POST = route(
  { ...declared, summary: 'Lets a role do something more.', errors: ['not_found', 'conflict'] },
  async ({ actor, params, body }) => {
    await grantPermission(actor, params.roleName, body.permName);
  },
);

export const DELETE = route(
  { ...declared, summary: 'Takes a permission from a role.', errors: ['not_found', 'conflict'] },
  async ({ actor, params, body }) => {
    await revokePermission(actor, params.roleName, body.permName);
  },
);
