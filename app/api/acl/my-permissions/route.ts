import { getEffectivePermissions } from '@/lib/access/authorize';
import { permissionNames } from '@/lib/auth/contract';
import { route } from '@/lib/auth/route';

export const GET = route(
  { access: 'session', summary: "Lists the caller's permissions.", response: permissionNames.readonly() },
  async ({ actor }) => getEffectivePermissions(actor),
);
