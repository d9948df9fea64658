import { type Currency, currencies, groupDigits, parseMoney } from '@/lib/money';
import { removeFormatCharacters } from '@/lib/network/visible-text';

/**
 * The decimal separator of a file; `mixed` if it uses both, `unknown` if no cell shows one. A text that a person types has
 * the style `typed`: "1,234" is 1234 as in a file, and "1.234" can be either.
 */
export type NumberStyle = 'point' | 'comma' | 'mixed' | 'unknown' | 'typed';

/**
 * How to read a single separator before three digits ("1,234"): decimals in a score, thousands in a count; for money it
 * depends on the file's style, with thousands as the default.
 */
export type NumberKind = 'score' | 'count' | 'money';

export type ParsedNumber = { decimal: `${number}` } | { problem: 'unreadable' | 'ambiguous' };

const unreadable: ParsedNumber = { problem: 'unreadable' };
const power: Record<string, number> = { k: 3, tsd: 3, m: 6, mio: 6, mln: 6, b: 9, bn: 9, mrd: 9 };

/**
 * Parses a non-negative number in common notations: "1,200", "1.200", "1 200", "12K", "1.2M", "1.2E+05", "5 %", "35,50".
 * @returns exact decimal text, for lib/money.ts or Number()
 */
export function parseNumber(cell: string, kind: NumberKind, style: NumberStyle): ParsedNumber {
  if (/^\d{1,15}$/.test(cell)) return toDecimal(cell, '', 0);
  const parts = splitNumber(cell);
  if (!parts) return unreadable;
  const { body, shift } = parts;
  const marks = body.replace(/\d/g, '');
  const last = marks.at(-1);
  if (last === undefined) return toDecimal(body, '', shift);
  const [whole = '', fraction = ''] = [body.slice(0, body.lastIndexOf(last)), body.slice(body.lastIndexOf(last) + 1)];
  if (marks.length === 1) {
    if (shift === 0 && isAmbiguous(body) && kind !== 'score') {
      const isAmbiguousStyle = style === 'mixed' || (style === 'typed' && last === '.');
      if (kind === 'money' && isAmbiguousStyle) return { problem: 'ambiguous' };
      const isDecimal = kind === 'money' && style === (last === '.' ? 'point' : 'comma');
      if (!isDecimal) return toDecimal(whole + fraction, '', shift);
    }
    return toDecimal(whole, fraction, shift);
  }
  if (isGrouped(body, last)) return toDecimal(body.replaceAll(last, ''), '', shift);
  const other = last === '.' ? ',' : '.';
  if (!isGrouped(whole, other)) return unreadable;
  return toDecimal(whole.replaceAll(other, ''), fraction, shift);
}

/** Detects the decimal separator used in a cell; null if it is ambiguous or absent. */
export function detectDecimalMark(cell: string): '.' | ',' | null {
  if (/^\d*$/.test(cell)) return null;
  const parts = splitNumber(cell);
  const marks = parts?.body.replace(/\d/g, '') ?? '';
  const last = marks.at(-1);
  if (!parts || (last !== '.' && last !== ',')) return null;
  if (marks.length === 1) return parts.shift === 0 && isAmbiguous(parts.body) ? null : last;
  if (isGrouped(parts.body, last)) return last === '.' ? ',' : '.';
  return marks.indexOf(last) === marks.length - 1 ? last : null;
}

/** Converts the digits of other scripts to 0 to 9; Unicode has the ten of each script in order. */
export const toAsciiDigits = (text: string): string =>
  text.replace(/(?![0-9])\p{Nd}/gu, (sign) => {
    const digit = sign.normalize('NFKC');
    const code = digit.codePointAt(0) ?? 0;
    let value = 0;
    while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
    return code < 0x80 ? digit : String(value);
  });

/** Converts digits and separators of other scripts: "١٢٬٥٠٠", "１２０". */
const toAsciiNumber = (text: string): string =>
  /[^\0-\x7f]/.test(text)
    ? toAsciiDigits(text).replace(/[٫．]/g, '.').replace(/[٬，]/g, ',').replace(/[％٪]/g, '%')
    : text;

/** Splits off a suffix or exponent. `shift` is the number of places it moves the decimal point. */
function splitNumber(cell: string): { body: string; shift: number } | null {
  const trimmed = toAsciiNumber(cell).trim();
  const text = /[\s'’]/.test(trimmed) ? trimmed.replace(/(?<=\d)[\s'’](?=\d{3}(?!\d))/gu, '') : trimmed;
  const match = /^\+?((?:\d[\d.,]*|[.,]\d+))(?:e\+?(\d{1,2})|\s*(tsd|mio|mln|mrd|bn|[kmb])\.?)?\s*[+%]?$/i.exec(text);
  if (!match?.[1] || match[1].length > 30) return null;
  return { body: match[1], shift: match[2] ? Number(match[2]) : (power[(match[3] ?? '').toLowerCase()] ?? 0) };
}

/** Matches an ambiguous number: one separator after one to three digits and before exactly three. */
const isAmbiguous = (body: string) => /^[1-9]\d{0,2}[.,]\d{3}$/.test(body);

/** Checks whether digits are grouped in thousands, or as in India (groups of two and a last group of three). */
function isGrouped(body: string, mark: string): boolean {
  const groups = body.split(mark);
  return (
    groups.length > 1 &&
    groups.every((group, at) =>
      (at === 0 ? /^\d{1,3}$/ : at === groups.length - 1 ? /^\d{3}$/ : /^\d{2,3}$/).test(group),
    )
  );
}

/** Shifts the decimal point in text, without floating-point arithmetic. */
function toDecimal(whole: string, fraction: string, shift: number): ParsedNumber {
  const padded = fraction.padEnd(shift, '0');
  const digits = `${whole}${padded.slice(0, shift)}`.replace(/^0+(?=\d)/, '') || '0';
  const rest = padded.slice(shift);
  return { decimal: asDecimal(rest === '' ? digits : `${digits}.${rest}`) };
}

/** Asserts the decimal type. The text consists of digits and at most one point. */
function asDecimal(text: string): `${number}` {
  return text as `${number}`;
}

/** The maximum price of a placement: one million, in minor units of its currency. */
const maxPriceCents = 100_000_000;

const currencyPattern =
  /US\s?\$|AU?\s?\$|CA?\s?\$|[$€£₹]|(?<!\p{L})(?:USD|EUR|EUROS?|GBP|AUD|CAD|INR|dollars?|rupees?|pounds?)(?!\p{L})|(?<!\p{L})Rs\.?(?!\p{L})/giu;

const currencyBySymbol: Record<string, Currency> = {
  ...{ US$: 'USD', A$: 'AUD', AU$: 'AUD', C$: 'CAD', CA$: 'CAD' },
  ...{
    '€': 'EUR',
    EURO: 'EUR',
    EUROS: 'EUR',
    '£': 'GBP',
    '₹': 'INR',
    RS: 'INR',
    RUPEE: 'INR',
    RUPEES: 'INR',
    POUND: 'GBP',
    POUNDS: 'GBP',
  },
};

/** Fast paths for the most common cells: a bare number, or a number after a dollar sign. */
const bareNumberPattern = /^[\d.,]*$/;
const dollarAmountPattern = /^\$[\d.,]+$/;

/** Finds the currencies named in a text by sign or code. A bare $ means USD unless another currency is named. */
function findCurrencies(text: string): Currency[] {
  const named = new Set<Currency>();
  let hasDollar = false;
  if (bareNumberPattern.test(text)) return [];
  if (dollarAmountPattern.test(text)) return ['USD'];
  for (const [sign] of text.matchAll(currencyPattern)) {
    const key = sign.toUpperCase().replace(/[\s.]/g, '');
    const currency = currencyBySymbol[key] ?? currencies.find((code) => code === key);
    if (currency) named.add(currency);
    else hasDollar = true;
  }
  if (named.size === 0 && hasDollar) named.add('USD');
  return [...named];
}

/** Returns the only currency named in a text; null for none or several. */
export function findOnlyCurrency(text: string): Currency | null {
  const [first, ...others] = findCurrencies(text);
  return others.length === 0 ? (first ?? null) : null;
}

/** The words behind a price that is for one post: "/post", "per guest post", "pro Artikel", "(each)". */
const perPostPattern = new RegExp(
  [
    '\\s*\\(?(?:\\b(?:each|ea|apiece)\\b|(?:/|\\b(?:per|for|pro|por|par|za|a|an)\\b)\\s*(?:an?\\s+|one\\s+|1\\s+)?',
    '(?:(?:single|guest|blog|sponsored|paid|published|contextual|do-?follow|no-?follow)[\\s-]+)*',
    '(?:post|posting|gp|article|link|backlink|placement|guestpost|insertion|link insertion|niche edit|publication|piece|beitrag|artikel',
    '|art[ií]culo|enlace|publicaci[oó]n|lien|articolo|artigo|publicação|artykuł|wpis))\\)?(?:\\s+only)?[.\\s]*$',
  ].join(''),
  'iu',
);
/** The signs behind an amount without cents: "35,-" and "500/-", also as "500/- only". */
const zeroCentsPattern = /(?:[.,][-–—]+|\s*\/\s*[-–—=]+)?(?:\s*only)?[.\s]*$/i;

/** Removes from a cell the currency, that the price is for one post, and the dash that stands for zero cents. */
export function stripCurrency(cell: string): string {
  if (bareNumberPattern.test(cell)) return cell;
  if (dollarAmountPattern.test(cell)) return cell.slice(1);
  return cell.replace(currencyPattern, ' ').replace(perPostPattern, '').replace(zeroCentsPattern, '');
}

/** Quotes what was typed in a message, cut to a length that fits below a field. */
const quote = (typed: string) => `“${typed.length > 40 ? `${typed.slice(0, 39)}…` : typed}”`;

const ambiguousMessage = (typed: string) => `${quote(typed)} is ambiguous: enter it without a thousands separator.`;

/** Parses an amount without its currency. A percentage is none. */
const parseAmount = (text: string, style: NumberStyle): ParsedNumber =>
  text.includes('%') ? unreadable : parseNumber(stripCurrency(text), 'money', style);

type ParsedPrice = { cents: number; currency: Currency | null } | { reason: string };

/**
 * Parses a price of one post in common notations: "$35", "€ 35,50", "35 EUR", "1.2K", "35,-", "₹1200/-", "$50/post".
 * @returns minor units, and the currency named in the cell, if any
 */
export function parsePrice(typed: string, style: NumberStyle): ParsedPrice {
  const cell = removeFormatCharacters(typed).trim();
  if (findCurrencies(cell).length > 1) return { reason: `${quote(cell)} names more than one currency.` };
  const read = parseAmount(cell, style);
  if ('problem' in read) {
    return {
      reason:
        read.problem === 'ambiguous'
          ? ambiguousMessage(cell)
          : `${quote(cell)} is not a price: enter an amount in ${currencies.join(', ')}, e.g. 120.50.`,
    };
  }
  const cents = parseMoney(read.decimal);
  if (cents === null || cents < 1 || cents > maxPriceCents) {
    return { reason: `${quote(cell)} is out of range: enter a price from 0.01 to 1,000,000.` };
  }
  return { cents, currency: findOnlyCurrency(cell) };
}

/** A number as a form or a file asks for it. */
export type NumberField = {
  /** The label, which may precede the number: "DR 45". */
  label: string;
  kind: NumberKind;
  min?: number;
  max?: number;
  /** The currency of an amount; another one is refused. */
  currency?: string;
};

/**
 * Parses the number of a field in the notations of `parseNumber`, with its label, "2%", or as an amount with its currency.
 * @param style the decimal separator; a form's numbers have a point, as those of a number input do
 * @returns the number, null where there is none, and why it is refused
 */
export function parseField(
  typed: string,
  field: NumberField,
  style: NumberStyle = 'point',
): { decimal: `${number}` | null; reason?: string } {
  const { label, kind, min = 0, max } = field;
  const text = removeFormatCharacters(typed).trim();
  const bare = startsWithLabel(text, label) ? text.slice(label.length).replace(/^\s*[:=]?\s*/, '') : text;
  const named = kind === 'money' ? findCurrencies(bare) : [];
  if (named.some((currency) => currency !== (field.currency ?? currency)) || named.length > 1) {
    return { decimal: null, reason: `${quote(text)} is in ${named.join(' and ')}: enter ${describeField(field)}.` };
  }
  const read = kind === 'money' ? parseAmount(bare, style) : parseNumber(bare, kind, style);
  if ('problem' in read) {
    if (read.problem === 'ambiguous') return { decimal: null, reason: ambiguousMessage(text) };
    const isNegative = /^[-–−]\s*[\d.,]+$/.test(bare);
    return {
      decimal: null,
      reason: `${quote(text)} is ${isNegative ? 'out of range' : 'not a number'}: enter ${describeField(field)}.`,
    };
  }
  const value = kind === 'money' && parseMoney(read.decimal) === null ? Number.POSITIVE_INFINITY : Number(read.decimal);
  if (Number.isFinite(value) && value >= min && (max === undefined || value <= max)) return read;
  return { decimal: read.decimal, reason: `${quote(text)} is out of range: enter ${describeField(field)}.` };
}

const startsWithLabel = (text: string, label: string) =>
  label !== '' && text.toLowerCase().startsWith(label.toLowerCase()) && !/^\p{L}/u.test(text.slice(label.length));

/** Describes what a field takes: "DR as 0–100", "Your price in USD, e.g. 120.50". */
function describeField({ label, kind, min, max, currency }: NumberField): string {
  const name = label || 'it';
  if (kind === 'money') return `${name}${currency && !label.includes(currency) ? ` in ${currency}` : ''}, e.g. 120.50`;
  if (max !== undefined) return `${name} as ${groupDigits(min ?? 0)}–${groupDigits(max)}`;
  return `${name} in digits, e.g. ${kind === 'count' ? '1200' : '12.5'}`;
}
