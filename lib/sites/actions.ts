'use server';

import { action } from '@/lib/auth/action';
import { reviewNiche, reviewNicheInput } from '@/lib/taxonomy/proposals';
import { bulkSites } from './bulk';
import { deleteOwnSite } from './delete';
import { ratingBudgetInput, saveRatingBudget } from './domain-figures/ahrefs/budget';
import { figureOrderInput, saveFigureOrder } from './domain-figures/figure-order';
import { editOwnSiteInput, siteIdParams } from './edit-schemas';
import { bulkSitesInput } from './managed-schemas';
import { maxOwnBulkSites } from './own-bulk/schemas';
import { applyPrices, previewPrices } from './pricing/apply-rules';
import { createCommissionRule, deleteCommissionRule, updateCommissionRule } from './pricing/commission-rules';
import {
  applyPricesInput,
  commissionRuleInput,
  deleteCommissionRuleInput,
  editCommissionRuleInput,
  previewPricesInput,
} from './pricing/schemas';
import { listSellerSiteIds, sellerSitesFilter } from './seller-queries';
import { sellerSiteView } from './seller-view';
import { updateOwnSite } from './update';

/** Updates a seller's site. An action because the API has no endpoint for it; the validation is that of a new site. */
export const editOwnSiteAction = action(
  { access: 'seller', input: editOwnSiteInput },
  async (actor, { id, version, body }) => sellerSiteView(await updateOwnSite(actor, id, version, body)),
);

/** Returns the ids of the newest of the seller's sites that match a filter, for a selection of all of them. */
export const selectOwnSitesAction = action({ access: 'seller', input: sellerSitesFilter }, async (actor, filter) => ({
  ids: await listSellerSiteIds(actor.userId, filter, maxOwnBulkSites),
}));

export const withdrawSiteAction = action({ access: 'seller', input: siteIdParams }, async (actor, { id }) => {
  await deleteOwnSite(actor, id);
  return {};
});

/** Approves, rejects, deletes or prices the selected sites. */
export const bulkSitesAction = action({ access: 'ManageSites', input: bulkSitesInput }, bulkSites);

/** Returns the prices that the commission rules give to the selected sites. */
export const previewPricesAction = action({ access: 'ManageSites', input: previewPricesInput }, (_actor, input) =>
  previewPrices(input),
);

/** Sets the prices of a preview. */
export const applyPricesAction = action({ access: 'ManageSites', input: applyPricesInput }, applyPrices);

export const createCommissionRuleAction = action(
  { access: 'ManageSites', recentAuthentication: true, input: commissionRuleInput },
  createCommissionRule,
);

export const updateCommissionRuleAction = action(
  { access: 'ManageSites', recentAuthentication: true, input: editCommissionRuleInput },
  updateCommissionRule,
);

export const deleteCommissionRuleAction = action(
  { access: 'ManageSites', recentAuthentication: true, input: deleteCommissionRuleInput },
  deleteCommissionRule,
);

/** Accepts or replaces a niche that an import proposed. */
export const reviewNicheAction = action({ access: 'ManageSites', input: reviewNicheInput }, reviewNiche);

/** Sets which source of a figure is shown first. */
export const saveFigureOrderAction = action({ access: 'ManageSettings', input: figureOrderInput }, saveFigureOrder);

/** Sets how many domain ratings Ahrefs is asked for in a day. */
export const saveRatingBudgetAction = action({ access: 'ManageSettings', input: ratingBudgetInput }, saveRatingBudget);
