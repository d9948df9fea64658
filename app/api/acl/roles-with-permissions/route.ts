import { z } from 'zod';
import { roleWithPermissionsAnswer } from '@/lib/acl/answers';
import { listRoles } from '@/lib/acl/queries';
import { roleWithPermissionsView } from '@/lib/acl/views';
import { route } from '@/lib/http/route';

export const GET = route(
  { access: 'ManageRoles', summary: 'Every role with what it allows.', answer: z.array(roleWithPermissionsAnswer) },
  async () => (await listRoles()).map(roleWithPermissionsView),
);
