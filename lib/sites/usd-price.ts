import { AppError } from '@/lib/errors';
import { type Currency, convertToUsdCents } from '@/lib/money';
import type { getExchangeRates } from '@/lib/settings/rates/exchange-rates';

export type Rates = Awaited<ReturnType<typeof getExchangeRates>>;

/** The error message for a price that converts to zero cents in USD, which could not be charged. */
export const belowOneCentMessage = 'This is less than one US cent. Use a higher price.';

/**
 * Converts a public price to USD cents at the current rate.
 * @param priceCents minor units of `currency`; null for no price
 * @returns USD cents, or null for no price
 * @throws AppError not_configured for a currency without an exchange rate, invalid_input for less than one cent
 */
export function convertToListedPrice(rates: Rates, priceCents: number | null, currency: Currency): number | null {
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
  if (usdCents === 0)
    throw new AppError('invalid_input', belowOneCentMessage, { fields: { publicPrice: belowOneCentMessage } });
  return usdCents;
}
