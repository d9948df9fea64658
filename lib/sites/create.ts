import { db } from '../../db/client';
import { sites } from '../../db/schema/sites';
import { recordAudit } from '../audit/record';
import type { Actor } from '../auth/actor';
import { ratesToPriceBy } from '../settings/exchange-rates';
import { getAnySite } from './desk-queries';
import type { CreateSiteInput } from './edit-schemas';
import { requireOwner } from './require-owner';
import { siteTaken } from './site-errors';
import { readTatDays } from './tat-days';
import { urlKey } from './url-key';
import { usdPriceCents } from './usd-price';
import type { AdminSiteRow } from './views';

/**
 * Adds a site as staff does: any owner (the actor, when nobody is named), any status, all three prices.
 * @throws AppError conflict when the owner already has it, not_configured for a currency without a rate
 */
export async function createSite(actor: Actor, input: CreateSiteInput): Promise<AdminSiteRow> {
  return db().transaction(async (tx) => {
    const ownerId = input.ownerId ?? actor.userId;
    await requireOwner(tx, ownerId);
    const rates = await ratesToPriceBy(tx);
    const [site] = await tx
      .insert(sites)
      .values({
        ...input,
        ownerId,
        urlKey: urlKey(input.url),
        tatDays: input.tat === undefined ? undefined : readTatDays(input.tat),
        publicPriceUsdCents: usdPriceCents(rates, input.publicPriceCents ?? null, input.publicCurrency ?? 'USD'),
      })
      .onConflictDoNothing()
      .returning();
    if (!site) throw siteTaken(input.url, input.postType ?? 'Guest posts');
    const { id, name, url, postType, status, sellerPriceCents, adminPriceCents, publicPriceCents, publicCurrency } =
      site;
    await recordAudit(tx, actor, {
      action: 'site.created',
      details: `Site #${id} ${url} was added with status ${status}.`,
      entityType: 'site',
      entityId: id,
      after: {
        ownerId,
        name,
        url,
        postType,
        status,
        sellerPriceCents,
        adminPriceCents,
        publicPriceCents,
        publicCurrency,
      },
    });
    return getAnySite(id, tx);
  });
}
