import { z } from 'zod';
import { describePermission, permissions } from '@/lib/access/permissions';
import { route } from '@/lib/auth/route';
import { permissionResponse } from '@/lib/roles/contract';

/** All permissions, in the order of their declaration. */
export const GET = route(
  { access: 'ManageRoles', summary: 'Lists all permissions.', response: z.array(permissionResponse) },
  async () => permissions.map((name) => ({ name, description: describePermission(name) })),
);
