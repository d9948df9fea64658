import { effectivePermissions } from '@/lib/acl/effective-permissions';
import { route } from '@/lib/http/route';

export const GET = route({ access: 'session' }, async ({ actor }) => effectivePermissions(actor));
