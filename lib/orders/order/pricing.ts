import { and, desc, eq, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Executor } from '@/db/client';
import { isGiven } from '@/db/is-given';
import { prepared } from '@/db/prepared';
import { packages } from '@/db/schema/packages';
import { exchangeRates } from '@/db/schema/settings';
import { sites } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import { memberAccounts } from '@/lib/access/authorize';
import { AppError } from '@/lib/errors';
import { type Currency, convertToUsdCents } from '@/lib/money';
import type { OrderRow } from '@/lib/orders/contract';
import { isOffered } from '@/lib/packages/packages';
import { type FlagName, requireFlag } from '@/lib/settings/feature-flags';
import { isListed } from '@/lib/sites/catalogue/filter-sql';
import type { CreateOrderInput } from './schemas';

/** An order to be created: the item and its price, read on the server when the request is handled. */
export type PricedItem = {
  siteId: number | null;
  packageId: number | null;
  website: string;
  postType: string;
  packageName: string;
  packageDesc: string;
  quantity: number;
  /** The price of the whole quantity, in minor units of `currency`. */
  priceCents: number;
  currency: Currency;
  usdMicrosPerUnit: number;
  /** USD cents. */
  chargedCents: number;
};

type Rate = {
  /** Millionths of a USD for one unit of the item's currency; null for a currency without a rate. */
  usdMicrosPerUnit: number | null;
};

export type OfferedSite = Rate &
  Pick<
    typeof sites.$inferSelect,
    | 'id'
    | 'url'
    | 'postType'
    | 'publicPriceCents'
    | 'publicCurrency'
    | 'ownerId'
    | 'sellerPriceCents'
    | 'tatDays'
    | 'isFulfilledByStaff'
    | 'followType'
    | 'words'
  > & {
    /** Whether the owner is an active user with the role Seller. */
    isOwnerActiveSeller: boolean;
    /** The accounts of which the owner is a member, the own one included. */
    ownerAccounts: string[];
  };

/** The selected items that are on sale, each with the current exchange rate. */
export type Offer = {
  sites: readonly OfferedSite[];
  package:
    | (Rate & Pick<typeof packages.$inferSelect, 'id' | 'name' | 'description' | 'priceCents' | 'currency'>)
    | undefined;
};

/** Returns the feature flag that must be on for this kind of order. */
export const getFlag = ({ kind }: CreateOrderInput): FlagName => (kind === 'package' ? 'packages' : 'marketplace');

/**
 * Prices sites for a buyer, in USD cents.
 * @returns the prices by site; without the sites that cannot be ordered now
 */
export async function getSitePrices(siteIds: readonly number[]): Promise<Map<number, number>> {
  if (siteIds.length === 0) return new Map();
  return listSitePrices((await getOffer({ kind: 'custom', siteIds: [...siteIds] })).sites);
}

/** Lists the prices of offered sites by site, in USD cents; without the sites that cannot be ordered now. */
export function listSitePrices(listed: Offer['sites']): Map<number, number> {
  return new Map(
    listed.flatMap(({ id, publicPriceCents, usdMicrosPerUnit }) => {
      const cents = publicPriceCents && usdMicrosPerUnit ? convertToUsdCents(publicPriceCents, usdMicrosPerUnit) : 0;
      return cents === 0 ? [] : [[id, cents] as const];
    }),
  );
}

/** The part of an order's input that names its items. */
type OfferedItems = { kind: 'custom'; siteIds: number[] } | { kind: 'package'; packageId: number };

/** Reads the items of an order with their prices and exchange rates, in one statement. */
export async function getOffer(input: OfferedItems, on?: Executor): Promise<Offer> {
  if (input.kind === 'custom')
    return { sites: await listedSites(on).execute({ ids: JSON.stringify(input.siteIds) }), package: undefined };
  const [found] = await offeredPackage(on).execute({ id: input.packageId });
  return { sites: [], package: found };
}

const selectCurrentRate = (on: Executor, currency: PgColumn) =>
  sql<number | null>`(${on
    .select({ rate: exchangeRates.usdMicrosPerUnit })
    .from(exchangeRates)
    .where(eq(exchangeRates.currency, currency))
    .orderBy(desc(exchangeRates.effectiveAt), desc(exchangeRates.id))
    .limit(1)})`.mapWith(Number);

const listedSites = prepared((on) =>
  on
    .select({
      id: sites.id,
      url: sites.url,
      postType: sites.postType,
      publicPriceCents: sites.publicPriceCents,
      publicCurrency: sites.publicCurrency,
      usdMicrosPerUnit: selectCurrentRate(on, sites.publicCurrency),
      ownerId: sites.ownerId,
      sellerPriceCents: sites.sellerPriceCents,
      tatDays: sites.tatDays,
      isFulfilledByStaff: sites.isFulfilledByStaff,
      followType: sites.followType,
      words: sites.words,
      isOwnerActiveSeller: sql<boolean>`
        lower(${users.role}) = 'seller' and ${users.status} = 'Active' and ${users.deletedAt} is null`,
      ownerAccounts: memberAccounts,
    })
    .from(sites)
    .innerJoin(users, eq(users.id, sites.ownerId))
    .where(and(isGiven(sites.id, 'ids'), isListed))
    .prepare('listed_sites'),
);

const offeredPackage = prepared((on) =>
  on
    .select({
      id: packages.id,
      name: packages.name,
      description: packages.description,
      priceCents: packages.priceCents,
      currency: packages.currency,
      usdMicrosPerUnit: selectCurrentRate(on, packages.currency),
    })
    .from(packages)
    .where(and(eq(packages.id, sql.placeholder('id')), isOffered))
    .prepare('offered_package'),
);

/**
 * Prices an order from an offer: one item for a package, one for each site.
 * @throws AppError conflict when a site is no longer listed or a package is no longer on sale
 * @throws AppError not_configured when a price is in a currency without an exchange rate
 */
export function priceItems(offer: Offer, input: CreateOrderInput): PricedItem[] {
  if (input.kind === 'package') return [pricePackage(offer.package, input.quantity)];
  const byId = new Map(offer.sites.map((site) => [site.id, site]));
  return input.siteIds.map((id) => priceSite(byId.get(id), id));
}

function pricePackage(found: Offer['package'], quantity: number): PricedItem {
  if (!found) throw notOnSaleError();
  const price = convertPrice(found, found.priceCents * quantity, found.currency);
  // A price that rounds to zero cents cannot be sold, because the order would be free.
  if (price.chargedCents === 0) throw notOnSaleError();
  return {
    siteId: null,
    packageId: found.id,
    website: '',
    postType: '',
    packageName: found.name,
    packageDesc: found.description,
    quantity,
    ...price,
  };
}

function priceSite(site: Offer['sites'][number] | undefined, id: number): PricedItem {
  if (!site || site.publicPriceCents === null) throw notAvailableError(id);
  const price = convertPrice(site, site.publicPriceCents, site.publicCurrency);
  if (price.chargedCents === 0) throw notAvailableError(id);
  return {
    siteId: site.id,
    packageId: null,
    website: site.url,
    postType: site.postType,
    packageName: '',
    packageDesc: '',
    quantity: 1,
    ...price,
  };
}

const notOnSaleError = () => new AppError('conflict', 'This package is no longer on sale.');
export const notAvailableError = (id: number) =>
  new AppError('conflict', `Site #${id} is no longer available. Remove it from your selection and try again.`);

function convertPrice({ usdMicrosPerUnit }: Rate, priceCents: number, currency: Currency) {
  if (!usdMicrosPerUnit) throw new AppError('not_configured', `Prices in ${currency} cannot be charged right now.`);
  return { priceCents, currency, usdMicrosPerUnit, chargedCents: convertToUsdCents(priceCents, usdMicrosPerUnit) };
}

/**
 * `follow` tells whether the site publishes Dofollow links; true for a package. `words` is the site's usual number of words
 * of an article; 0 if unknown.
 */
export type RepricedOrder = { item: PricedItem; follow: boolean; words: number } | { refusal: string };

/**
 * Prices the site or package of an existing order at its current price and the same quantity, without ordering it.
 * @returns the priced item, or the reason why it cannot be ordered
 */
export async function repriceOrder(order: OrderRow): Promise<RepricedOrder> {
  const { siteId, packageId, quantity, projectId, packageName, website } = order;
  const unavailable = { refusal: `${packageName || website} is no longer on sale.` };
  const request: CreateOrderInput =
    packageId === null
      ? { kind: 'custom', siteIds: siteId === null ? [] : [siteId], projectId }
      : { kind: 'package', packageId, quantity, projectId };
  try {
    await requireFlag(getFlag(request));
    const offer = await getOffer(request);
    const [item] = priceItems(offer, request);
    if (!item) return unavailable;
    const [site] = offer.sites;
    return { item, follow: site?.followType !== 'NoFollow', words: site?.words ?? 0 };
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'conflict') return unavailable;
    if (thrown instanceof AppError && thrown.code === 'not_configured') return { refusal: thrown.message };
    throw thrown;
  }
}
