import { route } from '@/lib/auth/route';
import {
  featureRoleParams,
  featureRoleResponse,
  featureRoleView,
  updateFeatureRoleBody,
} from '@/lib/roles/feature-roles/contract';
import { deleteFeatureRole, requireFeatureRole, updateFeatureRole } from '@/lib/roles/feature-roles/feature-roles';

const declared = { access: 'ManageRoles', params: featureRoleParams } as const;

/** Used to compare a stale edit with the current version. */
export const GET = route(
  { ...declared, summary: 'Returns a feature role.', response: featureRoleResponse, errors: ['not_found'] },
  async ({ params }) => featureRoleView(await requireFeatureRole(params.id)),
);

export const PUT = route(
  {
    ...declared,
    recentAuthentication: true,
    summary: 'Updates a feature role.',
    response: featureRoleResponse,
    errors: ['not_found', 'conflict'],
    body: updateFeatureRoleBody,
  },
  async ({ actor, params, body }) => featureRoleView(await updateFeatureRole(actor, params.id, body)),
);

export const DELETE = route(
  { ...declared, recentAuthentication: true, summary: 'Deletes a feature role.', errors: ['not_found'] },
  async ({ actor, params }) => {
    await deleteFeatureRole(actor, params.id);
  },
);
