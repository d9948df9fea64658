import { listRoles } from '@/lib/acl/queries';
import { roleWithPermissionsView } from '@/lib/acl/views';
import { route } from '@/lib/http/route';

export const GET = route({ access: 'ManageRoles' }, async () => (await listRoles()).map(roleWithPermissionsView));
