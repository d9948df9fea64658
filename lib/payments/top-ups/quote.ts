import { AppError } from '@/lib/errors';
import { convertFromUsdCents, formatMoney, walletCurrency } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import type { PaymentProvider } from '@/lib/payments/providers/provider';
import { getExchangeRates } from '@/lib/settings/exchange-rates';

export type ChargeQuote = {
  /** Integer minor units of `chargeCurrency`. */
  chargeAmountMinor: number;
  chargeCurrency: string;
  /** Millionths of a USD for one unit of the charge currency; null where it is USD itself. */
  rateMicros: number | null;
};

/**
 * Returns the charge for an amount in the wallet's currency. The quote is stored with the top-up and valid until it
 * expires: the payment is checked against it, and the wallet is credited with the requested amount.
 * @param amountCents integer USD cents
 * @throws AppError not_configured when the exchange rate is missing
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

/** Minimum and maximum of one top-up in USD cents. */
const topupLimits = { minCents: 100, maxCents: 10_000_000 } as const;

/**
 * Validates the amount of a top-up.
 * @param cents the result of `parseMoney`; null for an invalid number
 * @returns the same integer USD cents
 * @throws AppError invalid_input with the text for the amount field
 */
export function requireTopupAmount(cents: number | null): number {
  if (cents === null || !Number.isSafeInteger(cents) || cents < topupLimits.minCents) {
    throw invalidAmount('Please enter at least $1.00');
  }
  if (cents > topupLimits.maxCents) {
    throw invalidAmount(`Please enter at most ${formatMoney(topupLimits.maxCents, walletCurrency)}`);
  }
  return cents;
}

const invalidAmount = (message: string) => new AppError('invalid_input', message, { fields: { amount: message } });
