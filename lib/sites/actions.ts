'use server';

import { action } from '@/lib/auth/action';
import { reviewNiche, reviewNicheInput } from '@/lib/taxonomy/proposals';
import { bulkSites } from './bulk';
import { deleteOwnSite } from './delete';
import { editOwnSiteInput, siteIdParams } from './edit-schemas';
import { bulkSitesInput } from './managed-schemas';
import { sellerSiteView } from './seller-view';
import { updateOwnSite } from './update';

/** Updates a seller's site. An action because the API has no endpoint for it; the validation is that of a new site. */
export const editOwnSiteAction = action(
  { access: 'seller', input: editOwnSiteInput },
  async (actor, { id, version, body }) => sellerSiteView(await updateOwnSite(actor, id, version, body)),
);

export const withdrawSiteAction = action({ access: 'seller', input: siteIdParams }, async (actor, { id }) => {
  await deleteOwnSite(actor, id);
  return {};
});

/** Approves, rejects, deletes or prices the selected sites. */
export const bulkSitesAction = action({ access: 'ManageSites', input: bulkSitesInput }, bulkSites);

/** Accepts or replaces a niche that an import proposed. */
export const reviewNicheAction = action({ access: 'ManageSites', input: reviewNicheInput }, reviewNiche);
