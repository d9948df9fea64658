import { db } from '../../db/client';
import type { Actor } from '../auth/actor';
import { AppError } from '../errors';
import { ratesToPriceBy } from '../settings/exchange-rates';
import { changedFields } from './changed-fields';
import type { OwnSiteInput } from './edit-schemas';
import { lockSite } from './lock';
import { saveChanges } from './save-changes';
import { type SellerSiteRow, sellerSiteRow } from './seller-view';
import { isTakenError, siteTaken } from './site-errors';

/**
 * Edits a seller's own site. Whatever is changed, it goes back to review: Pending (decision 17). A saving that changes
 * nothing leaves an approved site on sale.
 * @param version the one the edit started from
 * @throws AppError not_found for a site that is not the actor's, conflict when the seller already has it or when
 * somebody else changed it in the meantime
 */
export async function updateOwnSite(
  actor: Actor,
  id: number,
  version: number,
  input: OwnSiteInput,
): Promise<SellerSiteRow> {
  const saving = db().transaction(async (tx) => {
    const rates = await ratesToPriceBy(tx);
    const site = await lockSite(tx, id, actor.userId);
    if (site.version !== version) {
      throw new AppError(
        'conflict',
        'This site was changed in the meantime, perhaps by our review. Close this and open it again to see how it stands.',
      );
    }
    const { url, name, niche, postType, country, language, followType, dr, da, traffic, spam, tat } = input;
    const own = { url, name, niche, postType, country, language, followType, dr, da, traffic, spam, tat };
    const changes = { ...own, sellerPriceCents: input.sellerPriceCents };
    const isEdit = changedFields(site, changes).length > 0;
    if (isEdit) await saveChanges(tx, actor, site, { ...changes, status: 'Pending' }, rates);
    return sellerSiteRow(await lockSite(tx, id, actor.userId));
  });
  return saving.catch((thrown: unknown) => {
    throw isTakenError(thrown) ? siteTaken(input.url, input.postType ?? 'Guest posts') : thrown;
  });
}
