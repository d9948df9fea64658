import type { Actor } from '../auth/actor';
import { requireFlag } from '../flags/read-flags';
import { createSite } from './create';
import type { OwnSiteInput } from './edit-schemas';
import { type SellerSiteRow, sellerSiteRow } from './seller-view';

/**
 * Adds a site as its seller does: it is Pending, and no price but the seller's own is set, whatever was sent
 * (decision 17). In USD, as the form says.
 * @throws AppError conflict when the seller already has it, not_configured while an admin takes no new sites
 */
export async function createOwnSite(actor: Actor, input: OwnSiteInput): Promise<SellerSiteRow> {
  await requireFlag('site-uploads');
  const { url, name, niche, postType, country, language, followType, dr, da, traffic, spam, tat } = input;
  const { sellerPriceCents } = input;
  const site = await createSite(actor, {
    ...{ url, name, niche, postType, country, language, followType, dr, da, traffic, spam, tat, sellerPriceCents },
    ownerId: actor.userId,
    status: 'Pending',
    publicCurrency: 'USD',
    adminPriceCents: undefined,
    publicPriceCents: undefined,
    authorityScore: undefined,
    keywordsCount: undefined,
    refDomains: undefined,
    words: undefined,
  });
  return sellerSiteRow(site);
}
