/** The currencies of PayPal: https://developer.paypal.com/api/rest/reference/currency-codes/ */
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

/** What the tests may falsify, to see that a wrong order is not believed. */
export type Alteration = { amount?: number; currency?: string };

/** "12.34" from 1234. @param amountMinor integer minor units, which may be negative */
export function toMoney(amountMinor: number, currency: string): Money {
  const decimals = decimalsOf(currency);
  const digits = String(Math.abs(amountMinor)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const value = decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
  return { currency_code: currency, value: amountMinor < 0 ? `-${value}` : value };
}

/** 1234 from "12.34"; null for a text that is no amount of the currency. */
export function toMinor({ currency_code: currency, value }: Money): number | null {
  const decimals = decimalsOf(currency);
  const [, whole, fraction = ''] = /^(\d{1,10})(?:\.(\d{1,2}))?$/.exec(value) ?? [];
  if (whole === undefined || fraction.length > decimals) return null;
  return Number(whole + fraction.padEnd(decimals, '0'));
}

const wholeUnitCurrencies = new Set(['HUF', 'JPY', 'TWD']);

function decimalsOf(currency: string): number {
  return wholeUnitCurrencies.has(currency) ? 0 : 2;
}
