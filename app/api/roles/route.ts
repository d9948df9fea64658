import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { featureRoleBody, featureRoleResponse, featureRoleView } from '@/lib/roles/feature-roles/contract';
import { createFeatureRole, listFeatureRoles } from '@/lib/roles/feature-roles/feature-roles';

export const GET = route(
  { access: 'ManageRoles', summary: 'Lists all feature roles.', response: z.array(featureRoleResponse) },
  async () => {
    const { rows } = await listFeatureRoles();
    return rows.map(featureRoleView);
  },
);

export const POST = route(
  {
    access: 'ManageRoles',
    recentAuthentication: true,
    summary: 'Creates a feature role for a user.',
    response: featureRoleResponse,
    status: 201,
    errors: ['conflict'],
    body: featureRoleBody,
  },
  async ({ actor, body }) => featureRoleView(await createFeatureRole(actor, body)),
);
