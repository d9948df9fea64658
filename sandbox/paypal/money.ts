/** PayPal's currencies: https://developer.paypal.com/api/rest/reference/currency-codes/ */
export const currencies = [
  'AUD',
  'BRL',
  'CAD',
  'CHF',
  'CNY',
  'CZK',
  'DKK',
  'EUR',
  'GBP',
  'HKD',
  'HUF',
  'ILS',
  'JPY',
  'MXN',
  'MYR',
  'NOK',
  'NZD',
  'PHP',
  'PLN',
  'SEK',
  'SGD',
  'THB',
  'TWD',
  'USD',
] as const;

export type Money = { currency_code: string; value: string };

/** Changes by tests, which verify that a wrong order is rejected. */
export type Alteration = { amount?: number; currency?: string };

/** Formats "12.34" from 1234. @param amountMinor integer minor units, which may be negative */
export function toMoney(amountMinor: number, currency: string): Money {
  const decimals = getDecimals(currency);
  const digits = String(Math.abs(amountMinor)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const value = decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
  return { currency_code: currency, value: amountMinor < 0 ? `-${value}` : value };
}

/** Parses 1234 from "12.34"; null for an invalid amount of the currency. */
export function toMinor({ currency_code: currency, value }: Money): number | null {
  const decimals = getDecimals(currency);
  const [, whole, fraction = ''] = /^(\d{1,10})(?:\.(\d{1,2}))?$/.exec(value) ?? [];
  if (whole === undefined || fraction.length > decimals) return null;
  return Number(whole + fraction.padEnd(decimals, '0'));
}

const wholeUnitCurrencies = new Set(['HUF', 'JPY', 'TWD']);

function getDecimals(currency: string): number {
  return wholeUnitCurrencies.has(currency) ? 0 : 2;
}
