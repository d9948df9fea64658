import { route } from '@/lib/auth/route';
import { deleteSite } from '@/lib/sites/delete';
import { siteIdParams, updateSiteBody } from '@/lib/sites/edit-schemas';
import { getManagedSite } from '@/lib/sites/managed-queries';
import { adminSiteResponse } from '@/lib/sites/responses';
import { updateSite } from '@/lib/sites/update';
import { adminSiteView } from '@/lib/sites/views';

const one = { access: 'ManageSites', params: siteIdParams } as const;

/** Used to compare a stale edit with the current version. */
export const GET = route(
  { ...one, summary: 'Returns a site with all fields.', response: adminSiteResponse, errors: ['not_found'] },
  async ({ params }) => adminSiteView(await getManagedSite(params.id)),
);

export const PUT = route(
  {
    ...one,
    summary: 'Updates a site.',
    description:
      'Omitted fields stay unchanged. With the status Rejected, `rejectionReason` and `rejectionNote` tell the seller why; another status removes both.',
    response: adminSiteResponse,
    errors: ['not_found', 'conflict', 'not_configured'],
    body: updateSiteBody,
  },
  async ({ actor, params, body }) => adminSiteView(await updateSite(actor, params.id, body)),
);

export const DELETE = route(
  { ...one, summary: 'Deletes a site.', errors: ['not_found'] },
  async ({ actor, params }) => {
    await deleteSite(actor, params.id);
  },
);
