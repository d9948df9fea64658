import { isAdminRole, permissions } from '@/lib/acl/permissions';
import { route } from '@/lib/http/route';

export const GET = route({ access: 'session' }, async ({ actor }) =>
  isAdminRole(actor.role) ? permissions : actor.permissions,
);
