'use server';

import { action } from '@/lib/auth/action';
import { deleteOwnSite } from '@/lib/sites/delete';
import { editOwnSiteInput, siteIdParams } from '@/lib/sites/edit-schemas';
import { sellerSiteView } from '@/lib/sites/seller-view';
import { updateOwnSite } from '@/lib/sites/update';

/** The contract names no address for a seller's edit; these make the same checks. */
export const editOwnSiteAction = action(
  { access: 'seller', input: editOwnSiteInput },
  async (actor, { id, version, body }) => sellerSiteView(await updateOwnSite(actor, id, version, body)),
);

export const withdrawSiteAction = action({ access: 'seller', input: siteIdParams }, async (actor, { id }) => {
  await deleteOwnSite(actor, id);
  return {};
});
