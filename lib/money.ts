/** The currencies of prices; wallets are in USD. */
export const currencies = ['USD', 'EUR', 'GBP', 'AUD', 'CAD', 'INR'] as const;
export type Currency = (typeof currencies)[number];
/** The currencies with an exchange rate: those of prices, and those that a payment provider charges in. */
export const rateCurrencies = [...currencies, 'CNY'] as const;
export type RateCurrency = (typeof rateCurrencies)[number];
export const walletCurrency = 'USD' satisfies Currency;

const formatters = new Map<string, Intl.NumberFormat>();

function formatter(currency: string): Intl.NumberFormat {
  const known = formatters.get(currency);
  if (known) return known;
  const created = new Intl.NumberFormat('en-US', { style: 'currency', currency, currencyDisplay: 'symbol' });
  formatters.set(currency, created);
  return created;
}

/** Currencies that PayPal charges in whole units only, although ISO 4217 or Intl give some of them two decimals. */
const wholeUnitCurrencies = new Set(['HUF', 'JPY', 'TWD']);

/**
 * Returns the number of decimals of a currency, which defines its minor unit.
 * @param currency ISO 4217 code; any other string has two decimals
 */
export function currencyDecimals(currency: string): number {
  if (currency === walletCurrency) return 2;
  if (!/^[A-Z]{3}$/.test(currency)) return 2;
  if (wholeUnitCurrencies.has(currency)) return 0;
  return formatter(currency).resolvedOptions().maximumFractionDigits ?? 2;
}

/**
 * Formats 1234.5 as "1,234.5", as `toLocaleString('en-US')` does, but without loading locale data, which takes a browser
 * some ten milliseconds while a page becomes interactive.
 * @param value a number that `String` does not write with an exponent
 */
export function groupDigits(value: number | string): string {
  const [whole = '', ...fraction] = String(value).split('.');
  return [whole.replace(/\B(?=(?:\d{3})+$)/g, ','), ...fraction].join('.');
}

/**
 * Formats 123450 as "$1,234.50". Other dollars carry their country ("CA$116.00"). Works on the decimal digits instead
 * of a division, which avoids rounding errors.
 * @param amountMinor integer minor units (cents); may be negative
 * @param currency ISO 4217 code
 */
export function formatMoney(amountMinor: number, currency: string): string {
  const amount = toDecimalString(amountMinor, currencyDecimals(currency));
  if (currency === walletCurrency) return groupDigits(amount).replace(/^-?/, '$&$$');
  return formatter(currency).format(amount);
}

/** Formats an amount of a wallet, in USD cents. */
export const formatUsd = (cents: number): string => formatMoney(cents, walletCurrency);

/**
 * Converts 123450 to "1234.50": the exact decimal string of integer minor units, for number fields and JSON.
 * @param decimals number of decimals of the currency; see `currencyDecimals`
 * @throws RangeError when the amount is not a safe integer
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
 * Parses major units into integer cents, rounding half away from zero at the third decimal
 * (1.005 becomes 1.01, which `Math.round(1.005 * 100)` gets wrong).
 * @returns integer cents, or null when the text is not a plain decimal number or exceeds a safe integer
 */
export function parseMoney(input: string | number): number | null {
  // The text of NaN, of Infinity and of a number with an exponent does not match.
  const match = /^(-?)(\d+)?(?:\.(\d*))?$/.exec(String(input).trim());
  if (!match || (match[2] === undefined && !match[3])) return null;
  const decimals = (match[3] ?? '').padEnd(3, '0');
  const cents = Number(match[2] ?? '0') * 100 + Number(decimals.slice(0, 2)) + (Number(decimals[2]) >= 5 ? 1 : 0);
  if (!Number.isSafeInteger(cents)) return null;
  return match[1] && cents !== 0 ? -cents : cents;
}

/**
 * Converts an amount to USD cents, rounded half up to the nearest cent.
 * @param amountMinor integer minor units of the foreign currency
 * @param usdMicrosPerUnit value of one unit of that currency in millionths of a USD (1 EUR = 1.08 USD is 1_080_000)
 */
export function convertToUsdCents(amountMinor: number, usdMicrosPerUnit: number): number {
  const scaled = BigInt(amountMinor) * BigInt(usdMicrosPerUnit);
  return Number((scaled + 500_000n) / 1_000_000n);
}

/**
 * Converts USD cents to another currency, rounded up so that the platform never receives too little.
 * @param usdCents integer USD cents
 * @param usdMicrosPerUnit value of one unit of the other currency in millionths of a USD, above 0
 * @returns integer minor units of the other currency, which has two decimals
 */
export function convertFromUsdCents(usdCents: number, usdMicrosPerUnit: number): number {
  const rate = BigInt(usdMicrosPerUnit);
  return Number((BigInt(usdCents) * 1_000_000n + rate - 1n) / rate);
}
