import { getEffectivePermissions } from '@/lib/access/authorize';
import { route } from '@/lib/auth/route';
import { permissionNames } from '@/lib/roles/schemas';

export const GET = route(
  { access: 'session', summary: 'What the caller may do.', response: permissionNames.readonly() },
  async ({ actor }) => getEffectivePermissions(actor),
);
