import { NextResponse } from 'next/server';
import { route } from '@/lib/http/route';
import { createFeatureRole } from '@/lib/roles/create';
import { listFeatureRoles } from '@/lib/roles/queries';
import { featureRoleBody } from '@/lib/roles/schemas';
import { featureRoleView } from '@/lib/roles/views';

export const GET = route({ access: 'ManageRoles' }, async () => {
  const { rows } = await listFeatureRoles();
  return rows.map(featureRoleView);
});

export const POST = route({ access: 'ManageRoles', body: featureRoleBody }, async ({ actor, body }) =>
  NextResponse.json(featureRoleView(await createFeatureRole(actor, body)), { status: 201 }),
);
