import { route } from '@/lib/http/route';
import { deleteSite } from '@/lib/sites/delete';
import { getAnySite } from '@/lib/sites/desk-queries';
import { siteIdParams, updateSiteBody } from '@/lib/sites/edit-schemas';
import { updateSite } from '@/lib/sites/update';
import { adminSiteView } from '@/lib/sites/views';

/** What a stale edit is compared with. */
export const GET = route({ access: 'ManageSites', params: siteIdParams }, async ({ params }) =>
  adminSiteView(await getAnySite(params.id)),
);

export const PUT = route(
  { access: 'ManageSites', params: siteIdParams, body: updateSiteBody },
  async ({ actor, params, body }) => adminSiteView(await updateSite(actor, params.id, body)),
);

export const DELETE = route({ access: 'ManageSites', params: siteIdParams }, async ({ actor, params }) => {
  await deleteSite(actor, params.id);
  return { ok: true };
});
