import { route } from '@/lib/http/route';
import { deleteFeatureRole } from '@/lib/roles/delete';
import { requireFeatureRole } from '@/lib/roles/queries';
import { featureRoleParams, updateFeatureRoleBody } from '@/lib/roles/schemas';
import { updateFeatureRole } from '@/lib/roles/update';
import { featureRoleView } from '@/lib/roles/views';

/** What a stale edit is compared with. */
export const GET = route({ access: 'ManageRoles', params: featureRoleParams }, async ({ params }) =>
  featureRoleView(await requireFeatureRole(params.id)),
);

export const PUT = route(
  { access: 'ManageRoles', params: featureRoleParams, body: updateFeatureRoleBody },
  async ({ actor, params, body }) => featureRoleView(await updateFeatureRole(actor, params.id, body)),
);

export const DELETE = route({ access: 'ManageRoles', params: featureRoleParams }, async ({ actor, params }) => {
  await deleteFeatureRole(actor, params.id);
  return { ok: true };
});
