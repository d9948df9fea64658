/**
 * Formats "$1,234.50" from 123450 and "usd", with the decimals of the currency.
 * @param amountMinor integer minor units
 * @param currency ISO 4217, in any case
 */
export function formatAmount(amountMinor: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  const decimals = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amountMinor / 10 ** decimals);
}
