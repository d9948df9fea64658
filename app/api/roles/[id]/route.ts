import { route } from '@/lib/http/route';
import { deleteFeatureRole } from '@/lib/roles/delete';
import { featureRoleBody, featureRoleParams } from '@/lib/roles/schemas';
import { updateFeatureRole } from '@/lib/roles/update';
import { featureRoleView } from '@/lib/roles/views';

export const PUT = route(
  { access: 'ManageRoles', params: featureRoleParams, body: featureRoleBody },
  async ({ actor, params, body }) => featureRoleView(await updateFeatureRole(actor, params.id, body)),
);

export const DELETE = route({ access: 'ManageRoles', params: featureRoleParams }, async ({ actor, params }) => {
  await deleteFeatureRole(actor, params.id);
  return { ok: true };
});
