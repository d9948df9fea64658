import { z } from 'zod';
import { permissionAnswer } from '@/lib/acl/answers';
import { describePermission } from '@/lib/acl/describe-permission';
import { permissions } from '@/lib/acl/permissions';
import { route } from '@/lib/http/route';

/** The whole catalogue, in its order. */
export const GET = route(
  { access: 'ManageRoles', summary: 'Every permission there is.', answer: z.array(permissionAnswer) },
  async () => permissions.map((name) => ({ name, description: describePermission(name) })),
);
