import { currencyDecimals, toDecimalString } from '../money';

/**
 * "10.00 USD" from 1000 and "1000 JPY" from 1000, for any currency that a provider may charge in.
 * @param amountMinor integer minor units
 */
export function amountInWords(amountMinor: number, currency: string): string {
  return `${toDecimalString(amountMinor, currencyDecimals(currency))} ${currency}`;
}
