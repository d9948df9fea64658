import { route } from '@/lib/http/route';
import { deletePackage } from '@/lib/packages/delete';
import { getPackage } from '@/lib/packages/queries';
import { packageIdParams, updatePackageBody } from '@/lib/packages/schemas';
import { updatePackage } from '@/lib/packages/update';
import { adminPackageView } from '@/lib/packages/views';

/** What a stale edit is compared with. */
export const GET = route({ access: 'ManagePackages', params: packageIdParams }, async ({ params }) =>
  adminPackageView(await getPackage(params.id)),
);

export const PUT = route(
  { access: 'ManagePackages', params: packageIdParams, body: updatePackageBody },
  async ({ actor, params, body }) => adminPackageView(await updatePackage(actor, params.id, body)),
);

export const DELETE = route({ access: 'ManagePackages', params: packageIdParams }, async ({ actor, params }) => {
  await deletePackage(actor, params.id);
  return { ok: true };
});
