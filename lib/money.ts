/** The currencies a price may be in (spec 000, section 3); wallets are in USD. */
export const currencies = ['USD', 'EUR', 'GBP', 'AUD', 'CAD', 'INR'] as const;
export type Currency = (typeof currencies)[number];
/** What rates are kept for: the prices' currencies, and those that a payment provider charges in. */
export const rateCurrencies = [...currencies, 'CNY'] as const;
export type RateCurrency = (typeof rateCurrencies)[number];
export const walletCurrency = 'USD' satisfies Currency;

const formatters = new Map<string, Intl.NumberFormat>();

function formatter(currency: string): Intl.NumberFormat {
  const known = formatters.get(currency);
  if (known) return known;
  const made = new Intl.NumberFormat('en-US', { style: 'currency', currency, currencyDisplay: 'symbol' });
  formatters.set(currency, made);
  return made;
}

/** Charged in whole units only (PayPal), though ISO 4217 or Intl give some of them two decimals. */
const wholeUnitCurrencies = new Set(['HUF', 'JPY', 'TWD']);

/**
 * How many decimals an amount of a currency has: what makes its minor unit.
 * @param currency ISO 4217 code; two for anything else
 */
export function currencyDecimals(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) return 2;
  if (wholeUnitCurrencies.has(currency)) return 0;
  return formatter(currency).resolvedOptions().maximumFractionDigits ?? 2;
}

/**
 * "$1,234.50" from 123450; other dollars say whose they are ("CA$116.00"). Works on the digits, not on a division, so that no amount is off by a rounding.
 * @param amountMinor integer minor units (cents); may be negative
 * @param currency ISO 4217 code
 */
export function formatMoney(amountMinor: number, currency: string): string {
  return formatter(currency).format(toDecimalString(amountMinor, currencyDecimals(currency)));
}

/**
 * "1234.50" from 123450: exact decimal text of integer minor units, for number fields and JSON.
 * @param decimals of the currency; see `currencyDecimals`
 */
export function toDecimalString(amountMinor: number, decimals = 2): `${number}` {
  if (!Number.isSafeInteger(amountMinor)) throw new RangeError(`Not an amount in minor units: ${amountMinor}`);
  const digits = Math.abs(amountMinor)
    .toString()
    .padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  return `${amountMinor < 0 ? '-' : ''}${whole}${fraction}` as `${number}`;
}

/**
 * Major units to integer cents, rounding half away from zero at the third decimal as people expect
 * (1.005 is 1.01, which `Math.round(1.005 * 100)` gets wrong).
 * @returns integer cents, or null when the text is no plain decimal number or is beyond a safe integer
 */
export function parseMoney(input: string | number): number | null {
  const text = typeof input === 'number' ? numberToPlainText(input) : input.trim();
  const match = /^(-?)(\d+)?(?:\.(\d*))?$/.exec(text);
  if (!match || (match[2] === undefined && !match[3])) return null;
  const decimals = (match[3] ?? '').padEnd(3, '0');
  const cents = Number(match[2] ?? '0') * 100 + Number(decimals.slice(0, 2)) + (Number(decimals[2]) >= 5 ? 1 : 0);
  if (!Number.isSafeInteger(cents)) return null;
  return match[1] && cents !== 0 ? -cents : cents;
}

/** Numbers in JSON may arrive as 1e21 or NaN; those are no amounts. */
function numberToPlainText(value: number): string {
  return Number.isFinite(value) ? String(value) : '';
}

/**
 * What an amount in another currency costs the wallet, in USD cents, rounded to the nearest cent (half up).
 * @param amountMinor integer minor units of the foreign currency
 * @param usdMicrosPerUnit how many millionths of a USD one unit of it is worth (1 EUR = 1.08 USD is 1_080_000)
 */
export function convertToUsdCents(amountMinor: number, usdMicrosPerUnit: number): number {
  const scaled = BigInt(amountMinor) * BigInt(usdMicrosPerUnit);
  return Number((scaled + 500_000n) / 1_000_000n);
}

/**
 * What to charge in another currency for an amount in USD, rounded up so that the platform is never short.
 * @param usdCents integer USD cents
 * @param usdMicrosPerUnit how many millionths of a USD one unit of the other currency is worth, above 0
 * @returns integer minor units of the other currency, which has two decimals
 */
export function convertFromUsdCents(usdCents: number, usdMicrosPerUnit: number): number {
  const rate = BigInt(usdMicrosPerUnit);
  return Number((BigInt(usdCents) * 1_000_000n + rate - 1n) / rate);
}
