import { getEffectivePermissions } from '@/lib/access/authorize';
import { route } from '@/lib/auth/route';
import { permissionNames } from '@/lib/roles/contract';

export const GET = route(
  { access: 'session', summary: "Lists the caller's permissions.", response: permissionNames.readonly() },
  async ({ actor }) => getEffectivePermissions(actor),
);
