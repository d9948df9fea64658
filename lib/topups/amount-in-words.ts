/**
 * "10.00 USD" from 1000 and "1000 JPY" from 1000: for any currency that a provider may tell of, with its own decimals.
 * @param amountMinor integer minor units
 */
export function amountInWords(amountMinor: number, currency: string): string {
  const decimals = decimalsOf(currency);
  const digits = Math.abs(amountMinor)
    .toString()
    .padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const part = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  return `${amountMinor < 0 ? '-' : ''}${whole}${part} ${currency}`;
}

/** Two where the currency's name is none. */
function decimalsOf(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) return 2;
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}
