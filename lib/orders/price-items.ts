import { and, eq, inArray } from 'drizzle-orm';
import type { Executor } from '../../db/client';
import { packages } from '../../db/schema/packages';
import { sites } from '../../db/schema/sites';
import { AppError } from '../errors';
import { requireFlag } from '../flags/read-flags';
import { type Currency, convertToUsdCents } from '../money';
import { isOffered } from '../packages/queries';
import { getExchangeRates } from '../settings/exchange-rates';
import { isListed } from '../sites/listed';
import type { CreateOrderInput } from './schemas';

/** One order to be: what is bought, and its price read on the server now (decision 13). */
export type PricedItem = {
  siteId: number | null;
  packageId: number | null;
  website: string;
  postType: string;
  packageName: string;
  packageDesc: string;
  quantity: number;
  /** For the whole quantity, in `currency`'s minor units. */
  priceCents: number;
  currency: Currency;
  usdMicrosPerUnit: number;
  /** USD cents. */
  chargedCents: number;
};

/**
 * @throws AppError conflict when a site is no longer approved or a package no longer on sale, not_configured when a
 * price is in a currency without a rate, or while an admin has turned off what is ordered
 */
export async function priceItems(tx: Executor, input: CreateOrderInput): Promise<PricedItem[]> {
  await requireFlag(input.kind === 'package' ? 'packages' : 'marketplace', tx);
  const rates = await getExchangeRates(tx);
  const charge = (priceCents: number, currency: Currency) => {
    const usdMicrosPerUnit = rates.get(currency);
    if (!usdMicrosPerUnit) throw new AppError('not_configured', `Prices in ${currency} cannot be charged right now.`);
    return { priceCents, currency, usdMicrosPerUnit, chargedCents: convertToUsdCents(priceCents, usdMicrosPerUnit) };
  };

  if (input.kind === 'package') {
    const [found] = await tx
      .select()
      .from(packages)
      .where(and(eq(packages.id, input.packageId), isOffered));
    const notOnSale = new AppError('conflict', 'This package is no longer on sale.');
    if (!found) throw notOnSale;
    const charged = charge(found.priceCents * input.quantity, found.currency);
    // Less than half a cent of the wallet's money: nobody gets a package for nothing.
    if (charged.chargedCents === 0) throw notOnSale;
    return [
      {
        siteId: null,
        packageId: found.id,
        website: '',
        postType: '',
        packageName: found.name,
        packageDesc: found.description,
        quantity: input.quantity,
        ...charged,
      },
    ];
  }

  const found = await tx
    .select()
    .from(sites)
    .where(and(inArray(sites.id, input.siteIds), isListed));
  const byId = new Map(found.map((site) => [site.id, site]));
  return input.siteIds.map((id) => {
    const site = byId.get(id);
    if (!site || site.publicPriceCents === null) {
      throw new AppError(
        'conflict',
        `Site #${id} is no longer available. Take it out of your selection and try again.`,
      );
    }
    return {
      siteId: site.id,
      packageId: null,
      website: site.url,
      postType: site.postType,
      packageName: '',
      packageDesc: '',
      quantity: 1,
      ...charge(site.publicPriceCents, site.publicCurrency),
    };
  });
}
