import { z } from 'zod';
import { listRoles } from '@/lib/access/roles';
import { route } from '@/lib/auth/route';
import { roleWithPermissionsResponse } from '@/lib/roles/schemas';
import { roleWithPermissionsView } from '@/lib/roles/views';

export const GET = route(
  { access: 'ManageRoles', summary: 'Every role with what it allows.', response: z.array(roleWithPermissionsResponse) },
  async () => (await listRoles()).map(roleWithPermissionsView),
);
