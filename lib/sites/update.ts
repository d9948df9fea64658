import { db } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { requireOwner } from './create';
import { lockForEdit } from './domain-figures/lock-domains';
import { type OwnSiteInput, pickOwnFields, type UpdateSiteInput } from './edit-schemas';
import { requireSiteCurrency } from './field-values';
import { isDuplicateSiteError, lockSite, siteExistsError } from './lock';
import { getManagedSite } from './managed-queries';
import { lockPricing } from './pricing/lock-pricing';
import { isRejection, queueRejectionMails } from './rejection';
import { saveSiteChanges } from './save-changes';
import { type SellerSiteRow, toSellerSiteRow } from './seller-view';
import type { AdminSiteRow } from './views';

/**
 * Updates a site on behalf of staff. Any status may follow any other. Absent fields keep their value.
 * @throws AppError not_found, conflict for a stale `version` or a duplicate site, not_configured for a currency without an
 * exchange rate
 */
export async function updateSite(
  actor: Actor,
  id: number,
  { version, changes }: UpdateSiteInput,
): Promise<AdminSiteRow> {
  let requested = { url: changes.url ?? '', postType: changes.postType ?? '' };
  const saving = db().transaction(async (tx) => {
    const pricing = await lockPricing(tx);
    await lockForEdit(tx, id, changes, 'staff');
    const site = await lockSite(tx, id);
    requested = { url: changes.url ?? site.url, postType: changes.postType ?? site.postType };
    requireVersion(site, version, `Site #${id}`);
    if (changes.ownerId !== undefined && changes.ownerId !== site.ownerId) await requireOwner(tx, changes.ownerId);
    const after = await saveSiteChanges(tx, actor, site, changes, pricing);
    if (after && isRejection(site, after)) await queueRejectionMails(tx, actor, [after]);
    return getManagedSite(id, tx);
  });
  return saving.catch((thrown: unknown) => {
    throw isDuplicateSiteError(thrown) ? siteExistsError(requested.url, requested.postType, false) : thrown;
  });
}

/**
 * Updates a seller's own site and returns it to review (status Pending). Saving without changes keeps the status.
 * @param version the version the edit is based on
 * @throws AppError not_found for a site that the actor does not own, conflict for a duplicate site or a stale version
 */
export async function updateOwnSite(
  actor: Actor,
  id: number,
  version: number,
  input: OwnSiteInput,
): Promise<SellerSiteRow> {
  const saving = db().transaction(async (tx) => {
    const pricing = await lockPricing(tx);
    await lockForEdit(tx, id, input, 'seller');
    const site = await lockSite(tx, id, actor.userId);
    requireVersion(site, version, site.name);
    requireSiteCurrency(input.pricedIn, site.publicCurrency);
    await saveSiteChanges(tx, actor, site, pickOwnFields(input), pricing, 'seller');
    return toSellerSiteRow(await lockSite(tx, id, actor.userId));
  });
  return saving.catch((thrown: unknown) => {
    throw isDuplicateSiteError(thrown) ? siteExistsError(input.url, input.postType ?? 'Guest posts', true) : thrown;
  });
}
