import { route } from '@/lib/http/route';
import { featureRoleAnswer } from '@/lib/roles/answers';
import { deleteFeatureRole } from '@/lib/roles/delete';
import { requireFeatureRole } from '@/lib/roles/queries';
import { featureRoleParams, updateFeatureRoleBody } from '@/lib/roles/schemas';
import { updateFeatureRole } from '@/lib/roles/update';
import { featureRoleView } from '@/lib/roles/views';

/** What a stale edit is compared with. */
export const GET = route(
  {
    access: 'ManageRoles',
    summary: 'One record of the older role manager.',
    answer: featureRoleAnswer,
    errors: ['not_found'],
    params: featureRoleParams,
  },
  async ({ params }) => featureRoleView(await requireFeatureRole(params.id)),
);

export const PUT = route(
  {
    access: 'ManageRoles',
    summary: 'Changes a record of the older role manager.',
    answer: featureRoleAnswer,
    errors: ['not_found', 'conflict'],
    params: featureRoleParams,
    body: updateFeatureRoleBody,
  },
  async ({ actor, params, body }) => featureRoleView(await updateFeatureRole(actor, params.id, body)),
);

export const DELETE = route(
  {
    access: 'ManageRoles',
    summary: 'Deletes a record of the older role manager.',
    errors: ['not_found'],
    params: featureRoleParams,
  },
  async ({ actor, params }) => {
    await deleteFeatureRole(actor, params.id);
  },
);
