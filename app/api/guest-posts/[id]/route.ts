import { z } from 'zod';
import { hasPermission } from '@/lib/access/authorize';
import { route } from '@/lib/auth/route';
import { offeredOptionResponse } from '@/lib/orders/options/contract';
import { getSiteOffers } from '@/lib/orders/order/site-offers';
import { requireFlag } from '@/lib/settings/feature-flags';
import { getListedSite, readFacts } from '@/lib/sites/catalogue/listed-sites';
import { deleteSite } from '@/lib/sites/delete';
import { siteIdParams, updateSiteBody } from '@/lib/sites/edit-schemas';
import { getManagedSite } from '@/lib/sites/managed-queries';
import { adminSiteDetailResponse, adminSiteResponse, siteDetailResponse } from '@/lib/sites/responses';
import { updateSite } from '@/lib/sites/update';
import { adminSiteView } from '@/lib/sites/views';

const offered = {
  options: z
    .array(offeredOptionResponse)
    .describe('What the publisher sells besides the placement, in USD; none if our team fulfills the order.'),
};
const responses = [
  siteDetailResponse.extend(offered).meta({ title: 'SiteDetail' }),
  adminSiteDetailResponse.extend(offered).meta({ title: 'AdminSiteDetail' }),
] as const;

const one = { access: 'ManageSites', params: siteIdParams } as const;

/** Staff who manage sites also compare a stale edit with the current version. */
export const GET = route(
  {
    access: 'account:orders',
    scope: ['read', 'ManageSites'],
    params: siteIdParams,
    summary: 'Returns a site on sale with its figures and its record; with ManageSites, any site with all fields.',
    response: z.union(responses),
    errors: ['not_found', 'not_configured'],
  },
  async ({ actor, params: { id } }) => {
    if (hasPermission(actor, 'ManageSites')) {
      const [site, offers] = await Promise.all([getManagedSite(id), getSiteOffers(actor.accountId, [id])]);
      return { ...adminSiteView(site), ...(await readFacts(site)), options: offers.listOptions(id) };
    }
    await requireFlag('marketplace');
    const [site, offers] = await Promise.all([getListedSite(id), getSiteOffers(actor.accountId, [id])]);
    return { ...site, options: offers.listOptions(id) };
  },
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
