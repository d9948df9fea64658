import { AppError } from '../errors';
import { convertFromUsdCents, walletCurrency } from '../money';
import { providerNames } from '../payments/names';
import type { PaymentProvider } from '../payments/provider';
import { getExchangeRates } from '../settings/exchange-rates';

export type ChargeQuote = {
  /** Integer minor units of `chargeCurrency`. */
  chargeAmountMinor: number;
  chargeCurrency: string;
  /** Millionths of a USD for one unit of the charge currency; null where it is USD itself. */
  rateMicros: number | null;
};

/**
 * What a provider charges for an amount in the wallet's currency. The quote is stored with the top-up and holds until it
 * expires: the payment is checked against it, and the wallet gets the amount that was asked for.
 * @param amountCents integer USD cents
 * @throws AppError not_configured while an admin has not entered the rate
 */
export async function quoteCharge(
  { name, currency }: Pick<PaymentProvider, 'name' | 'currency'>,
  amountCents: number,
): Promise<ChargeQuote> {
  if (currency === walletCurrency) {
    return { chargeAmountMinor: amountCents, chargeCurrency: currency, rateMicros: null };
  }
  const rateMicros = (await getExchangeRates()).get(currency);
  if (!rateMicros) {
    throw new AppError(
      'not_configured',
      `${providerNames[name]} charges in ${currency}, and there is no exchange rate for it yet. Please choose another method.`,
    );
  }
  return { chargeAmountMinor: convertFromUsdCents(amountCents, rateMicros), chargeCurrency: currency, rateMicros };
}
