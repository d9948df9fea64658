import { route } from '@/lib/auth/route';
import { deleteSite } from '@/lib/sites/delete';
import { siteIdParams, updateSiteBody } from '@/lib/sites/edit-schemas';
import { getManagedSite } from '@/lib/sites/managed-queries';
import { adminSiteResponse } from '@/lib/sites/responses';
import { updateSite } from '@/lib/sites/update';
import { adminSiteView } from '@/lib/sites/views';

/** Used to compare a stale edit with the current version. */
export const GET = route(
  {
    access: 'ManageSites',
    summary: 'Returns a site with all fields.',
    response: adminSiteResponse,
    errors: ['not_found'],
    params: siteIdParams,
  },
  async ({ params }) => adminSiteView(await getManagedSite(params.id)),
);

export const PUT = route(
  {
    access: 'ManageSites',
    summary: 'Updates a site.',
    description:
      'Omitted fields stay unchanged. With the status Rejected, `rejectionReason` and `rejectionNote` tell the seller why; another status removes both.',
    response: adminSiteResponse,
    errors: ['not_found', 'conflict', 'not_configured'],
    params: siteIdParams,
    body: updateSiteBody,
  },
  async ({ actor, params, body }) => adminSiteView(await updateSite(actor, params.id, body)),
);

export const DELETE = route(
  { access: 'ManageSites', summary: 'Deletes a site.', errors: ['not_found'], params: siteIdParams },
  async ({ actor, params }) => {
    await deleteSite(actor, params.id);
  },
);
