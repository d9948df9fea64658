import { permissionNames } from '@/lib/acl/answers';
import { effectivePermissions } from '@/lib/acl/effective-permissions';
import { route } from '@/lib/http/route';

export const GET = route(
  { access: 'session', summary: 'What the caller may do.', answer: permissionNames.readonly() },
  async ({ actor }) => effectivePermissions(actor),
);
