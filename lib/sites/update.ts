import { db } from '../../db/client';
import type { Actor } from '../auth/actor';
import { AppError } from '../errors';
import { ratesToPriceBy } from '../settings/exchange-rates';
import { getAnySite } from './desk-queries';
import type { UpdateSiteInput } from './edit-schemas';
import { lockSite } from './lock';
import { requireOwner } from './require-owner';
import { saveChanges } from './save-changes';
import { isTakenError, siteTaken } from './site-errors';
import type { AdminSiteRow } from './views';

/**
 * Edits a site as staff does; any status may follow any other (spec 000, section 4). What is left out stays.
 * @throws AppError not_found, conflict for a stale `version` or a site the owner already has, not_configured for a
 * currency without a rate
 */
export async function updateSite(
  actor: Actor,
  id: number,
  { version, changes }: UpdateSiteInput,
): Promise<AdminSiteRow> {
  let wanted = { url: changes.url ?? '', postType: changes.postType ?? '' };
  const saving = db().transaction(async (tx) => {
    const rates = await ratesToPriceBy(tx);
    const site = await lockSite(tx, id);
    wanted = { url: changes.url ?? site.url, postType: changes.postType ?? site.postType };
    if (version !== undefined && version !== site.version) {
      throw new AppError(
        'conflict',
        `Site #${id} was changed by somebody else in the meantime. Compare their changes with yours and save again.`,
      );
    }
    if (changes.ownerId !== undefined && changes.ownerId !== site.ownerId) await requireOwner(tx, changes.ownerId);
    await saveChanges(tx, actor, site, changes, rates);
    return getAnySite(id, tx);
  });
  return saving.catch((thrown: unknown) => {
    throw isTakenError(thrown) ? siteTaken(wanted.url, wanted.postType) : thrown;
  });
}
