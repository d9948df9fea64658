import { AppError } from '../errors';
import { type Currency, convertToUsdCents } from '../money';
import type { getExchangeRates } from '../settings/rates/exchange-rates';

export type Rates = Awaited<ReturnType<typeof getExchangeRates>>;

/** Why a price is refused that comes to nothing in the wallets' money: nobody could be charged for it. */
export const lessThanACent = 'This is less than one US cent. Use a higher price.';

/**
 * What a public price is in USD cents at the rate in force; null for none (decision 8).
 * @param priceCents minor units of `currency`
 * @throws AppError not_configured for a currency without a rate, invalid_input for less than a cent
 */
export function usdPriceCents(rates: Rates, priceCents: number | null, currency: Currency): number | null {
  if (priceCents === null) return null;
  const rate = currency === 'USD' ? 1_000_000 : rates.get(currency);
  if (!rate) {
    throw new AppError(
      'not_configured',
      `There is no exchange rate for ${currency}, so a price in it cannot be listed.`,
      { fields: { publicCurrency: 'There is no exchange rate for this currency.' } },
    );
  }
  const usdCents = convertToUsdCents(priceCents, rate);
  if (usdCents === 0) throw new AppError('invalid_input', lessThanACent, { fields: { publicPrice: lessThanACent } });
  return usdCents;
}
