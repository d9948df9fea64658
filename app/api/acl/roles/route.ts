import { NextResponse } from 'next/server';
import { createRole } from '@/lib/acl/create-role';
import { listRoles } from '@/lib/acl/queries';
import { createRoleBody } from '@/lib/acl/schemas';
import { roleView, roleWithPermissionsView } from '@/lib/acl/views';
import { route } from '@/lib/http/route';

export const GET = route({ access: ['ManageRoles', 'ManageUsers'] }, async () => (await listRoles()).map(roleView));

export const POST = route({ access: 'ManageRoles', body: createRoleBody }, async ({ actor, body }) =>
  NextResponse.json(roleWithPermissionsView(await createRole(actor, body.name)), { status: 201 }),
);
