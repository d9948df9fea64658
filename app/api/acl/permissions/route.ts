import { z } from 'zod';
import { describePermission, permissions } from '@/lib/access/permissions';
import { route } from '@/lib/auth/route';
import { permissionAnswer } from '@/lib/roles/schemas';

/** All permissions, in the order of their declaration. */
export const GET = route(
  { access: 'ManageRoles', summary: 'Every permission there is.', answer: z.array(permissionAnswer) },
  async () => permissions.map((name) => ({ name, description: describePermission(name) })),
);
