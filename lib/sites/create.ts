import { and, eq, isNull } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import type { TypedSource } from '@/db/enums';
import { sites } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { getSiteDomain } from '@/lib/network/registrable-domain';
import { recordAudit } from '@/lib/platform/audit/record';
import { requireFlag } from '@/lib/settings/feature-flags';
import { lockDomains, namesOf } from './domain-figures/lock-domains';
import { recordFigures } from './domain-figures/record';
import { refreshListings, refreshSiteFigures } from './domain-figures/refresh';
import { splitFigures, toFigureRows } from './domain-figures/typed-figures';
import { type CreateSiteInput, type OwnSiteInput, pickOwnFields } from './edit-schemas';
import {
  convertToListedPrice,
  normalizeSiteUrl,
  parseTatDays,
  requireOwnSamples,
  requireSiteCurrency,
} from './field-values';
import { siteExistsError } from './lock';
import { getManagedSite } from './managed-queries';
import { refreshOwnership } from './ownership/refresh';
import { lockPricing } from './pricing/lock-pricing';
import { type Pricing, priceOnApproval } from './pricing/price-by-rule';
import { resolveRejection } from './rejection';
import { getSellerSite } from './seller-queries';
import type { SellerSiteRow } from './seller-view';
import { type AdminSiteRow, rejectionView } from './views';

/**
 * Creates a site on behalf of staff, with any owner (the actor by default), any status and all three prices. An approved
 * site without a public price gets one by the commission rules.
 * @param source who entered the figures
 * @throws AppError conflict if the owner already lists the site, not_configured for a currency without an exchange rate,
 * invalid_input for sample posts on another website
 */
export async function createSite(
  actor: Actor,
  input: Pick<CreateSiteInput, 'url' | 'name'> & Partial<CreateSiteInput>,
  source: TypedSource = 'staff',
): Promise<AdminSiteRow> {
  requireOwnSamples({ url: input.url, samplePosts: input.samplePosts ?? '' });
  return db().transaction(async (tx) => {
    const ownerId = input.ownerId ?? actor.userId;
    await requireOwner(tx, ownerId);
    const pricing = await lockPricing(tx);
    const price = priceNewSite(pricing, { ...input, ownerId });
    const domain = getSiteDomain(input.url);
    const { figures, others } = splitFigures(input);
    const isForDomain = source === 'staff' && Object.keys(figures).length > 0;
    await lockDomains(tx, isForDomain ? 'exclusive' : 'shared', namesOf([domain]));
    const [site] = await tx
      .insert(sites)
      .values({
        ...others,
        ...price.changes,
        ...resolveRejection({ status: 'Pending', rejectionReason: null, rejectionNote: '' }, input),
        ownerId,
        urlKey: normalizeSiteUrl(input.url),
        domain,
        tatDays: input.tat === undefined ? undefined : parseTatDays(input.tat),
        publicPriceUsdCents: convertToListedPrice(
          pricing.rates,
          price.changes.publicPriceCents ?? input.publicPriceCents ?? null,
          input.publicCurrency ?? 'USD',
        ),
      })
      .onConflictDoNothing()
      .returning();
    if (!site) throw siteExistsError(input.url, input.postType ?? 'Guest posts', ownerId === actor.userId);
    await recordFigures(tx, toFigureRows(site, figures, source));
    if (isForDomain) await refreshSiteFigures(tx, [domain], [site.id]);
    else await refreshListings(tx, eq(sites.id, site.id), [site.id]);
    await refreshOwnership(tx, [domain]);
    const { id, name, url, postType, status, sellerPriceCents, adminPriceCents, publicPriceCents, publicCurrency } =
      site;
    await recordAudit(tx, actor, {
      action: 'site.created',
      details: `Site #${id} ${url} was added with status ${status}.${price.note}`,
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
        ...rejectionView(site),
        ...(site.isFulfilledByStaff && { isFulfilledByStaff: true }),
      },
    });
    return getManagedSite(id, tx);
  });
}

function priceNewSite(pricing: Pricing, input: Partial<CreateSiteInput> & { ownerId: string }) {
  const {
    ownerId,
    niche = 'General',
    publicCurrency = 'USD',
    sellerPriceCents = null,
    publicPriceCents = null,
  } = input;
  const site = { ownerId, niche, publicCurrency, sellerPriceCents, publicPriceCents, isPriceStale: false };
  return input.status === 'Approved' ? priceOnApproval(pricing, site, input) : { changes: {}, note: '' };
}

/**
 * Creates a site on behalf of its seller: status Pending, price in USD, no admin or public price.
 * @throws AppError conflict if the seller already lists the site, not_configured while site uploads are turned off
 */
export async function createOwnSite(actor: Actor, input: OwnSiteInput): Promise<SellerSiteRow> {
  await requireFlag('site-uploads');
  requireSiteCurrency(input.pricedIn, 'USD');
  const own = { ...pickOwnFields(input), ownerId: actor.userId, status: 'Pending', publicCurrency: 'USD' } as const;
  const { id } = await createSite(actor, own, 'seller');
  return getSellerSite(actor.userId, id);
}

/**
 * Requires that a user exists and is not deleted.
 * @param field the field of the form that names the user
 * @throws AppError invalid_input
 */
export async function requireOwner(tx: Executor, userId: string, field = 'userId'): Promise<void> {
  const [owner] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)));
  if (owner) return;
  throw new AppError('invalid_input', 'The owner does not exist.', { fields: { [field]: 'Choose an owner.' } });
}
