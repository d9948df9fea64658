import { z } from 'zod';
import { listRoles } from '@/lib/access/roles';
import { route } from '@/lib/auth/route';
import { roleWithPermissionsResponse, roleWithPermissionsView } from '@/lib/roles/contract';

export const GET = route(
  {
    access: 'ManageRoles',
    summary: 'Lists all roles with their permissions.',
    response: z.array(roleWithPermissionsResponse),
  },
  async () => (await listRoles()).map(roleWithPermissionsView),
);
