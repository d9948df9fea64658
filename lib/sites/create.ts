import { and, eq, isNull } from 'drizzle-orm';
import { db, type Executor } from '../../db/client';
import { sites } from '../../db/schema/sites';
import { users } from '../../db/schema/users';
import type { Actor } from '../access/actor';
import { AppError } from '../errors';
import { recordAudit } from '../platform/audit/record';
import { requireFlag } from '../settings/feature-flags/read-flags';
import { lockAndGetExchangeRates } from '../settings/rates/exchange-rates';
import { getAnySite } from './desk-queries';
import type { CreateSiteInput, OwnSiteInput } from './edit-schemas';
import { siteTaken } from './lock';
import { type SellerSiteRow, sellerSiteRow } from './seller-view';
import { urlKey } from './site-url';
import { readTatDays } from './tat-days';
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
    const rates = await lockAndGetExchangeRates(tx);
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

/**
 * A site belongs to somebody who exists.
 * @throws AppError invalid_input
 */
export async function requireOwner(tx: Executor, userId: string): Promise<void> {
  const [owner] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)));
  if (owner) return;
  throw new AppError('invalid_input', 'The owner does not exist.', { fields: { userId: 'Choose an owner.' } });
}
