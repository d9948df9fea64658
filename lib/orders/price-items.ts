import { AppError } from '../errors';
import { flags } from '../flags/flags';
import { type Currency, convertToUsdCents } from '../money';
import type { Offer } from './offer';
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
export function priceItems(offer: Offer, input: CreateOrderInput): PricedItem[] {
  if (offer.isTurnedOff) {
    throw new AppError('not_configured', flags[input.kind === 'package' ? 'packages' : 'marketplace'].off);
  }
  // What comes to less than half a cent of the wallet's money is not sold: nobody gets anything for nothing.
  const charge = (priceCents: number, currency: Currency) => {
    const usdMicrosPerUnit = offer.rates[currency];
    if (!usdMicrosPerUnit) throw new AppError('not_configured', `Prices in ${currency} cannot be charged right now.`);
    return { priceCents, currency, usdMicrosPerUnit, chargedCents: convertToUsdCents(priceCents, usdMicrosPerUnit) };
  };

  if (input.kind === 'package') {
    const found = offer.package;
    const notOnSale = new AppError('conflict', 'This package is no longer on sale.');
    if (!found) throw notOnSale;
    const charged = charge(found.priceCents * input.quantity, found.currency);
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

  const byId = new Map(offer.sites.map((site) => [site.id, site]));
  return input.siteIds.map((id) => {
    const site = byId.get(id);
    if (!site || site.priceCents === null) throw notAvailable(id);
    const charged = charge(site.priceCents, site.currency);
    if (charged.chargedCents === 0) throw notAvailable(id);
    return {
      siteId: site.id,
      packageId: null,
      website: site.url,
      postType: site.postType,
      packageName: '',
      packageDesc: '',
      quantity: 1,
      ...charged,
    };
  });
}

const notAvailable = (id: number) =>
  new AppError('conflict', `Site #${id} is no longer available. Take it out of your selection and try again.`);
