import { type Currency, currencies, parseMoney } from '../../money';

/** Which sign a file writes before decimals; `mixed` when it uses both, `unknown` when no cell tells. */
export type NumberStyle = 'point' | 'comma' | 'mixed' | 'unknown';

/**
 * What three digits behind a single separator are ("1,234") when nothing else tells: of a score always decimals, of a
 * count always thousands, of money whatever the file's style says, and thousands in a file without one.
 */
export type NumberKind = 'score' | 'count' | 'money';

export type ReadNumber = { decimal: `${number}` } | { problem: 'unreadable' | 'ambiguous' };

const unreadable: ReadNumber = { problem: 'unreadable' };
const power: Record<string, number> = { k: 3, m: 6, b: 9 };

/**
 * A number as people and spreadsheets write it: "1,200", "1.200", "1 200", "12K", "1.2M", "1.2E+05", "5 %", "35,50".
 * Negative numbers are none here.
 * @returns exact decimal text, for lib/money.ts or Number()
 */
export function readNumber(cell: string, kind: NumberKind, style: NumberStyle): ReadNumber {
  if (/^\d{1,15}$/.test(cell)) return plain(cell, '', 0);
  const parts = numberParts(cell);
  if (!parts) return unreadable;
  const { body, shift } = parts;
  const marks = body.replace(/\d/g, '');
  const last = marks.at(-1);
  if (last === undefined) return plain(body, '', shift);
  const [whole = '', fraction = ''] = [body.slice(0, body.lastIndexOf(last)), body.slice(body.lastIndexOf(last) + 1)];
  if (marks.length === 1) {
    if (shift === 0 && isOpen(body) && kind !== 'score') {
      if (kind === 'money' && style === 'mixed') return { problem: 'ambiguous' };
      const isDecimal = kind === 'money' && style === (last === '.' ? 'point' : 'comma');
      if (!isDecimal) return plain(whole + fraction, '', shift);
    }
    return plain(whole, fraction, shift);
  }
  if (isGrouped(body, last)) return plain(body.replaceAll(last, ''), '', shift);
  const other = last === '.' ? ',' : '.';
  if (!isGrouped(whole, other)) return unreadable;
  return plain(whole.replaceAll(other, ''), fraction, shift);
}

/** The sign before decimals that this cell gives away; null when it tells nothing. */
export function decimalMarkOf(cell: string): '.' | ',' | null {
  if (/^\d*$/.test(cell)) return null;
  const parts = numberParts(cell);
  const marks = parts?.body.replace(/\d/g, '') ?? '';
  const last = marks.at(-1);
  if (!parts || (last !== '.' && last !== ',')) return null;
  if (marks.length === 1) return parts.shift === 0 && isOpen(parts.body) ? null : last;
  if (isGrouped(parts.body, last)) return last === '.' ? ',' : '.';
  return marks.indexOf(last) === marks.length - 1 ? last : null;
}

/** The digits with their separators, and how many places the suffix or exponent moves the point. */
function numberParts(cell: string): { body: string; shift: number } | null {
  const trimmed = cell.trim();
  const text = /[\s'’]/.test(trimmed) ? trimmed.replace(/(?<=\d)[\s'’](?=\d{3}(?!\d))/gu, '') : trimmed;
  const match = /^\+?((?:\d[\d.,]*|[.,]\d+))(?:e\+?(\d{1,2})|\s*([kmb]))?\s*[+%]?$/i.exec(text);
  if (!match?.[1] || match[1].length > 30) return null;
  return { body: match[1], shift: match[2] ? Number(match[2]) : (power[(match[3] ?? '').toLowerCase()] ?? 0) };
}

/** Could be thousands or decimals: one separator with one to three digits before it and exactly three behind. */
const isOpen = (body: string) => /^[1-9]\d{0,2}[.,]\d{3}$/.test(body);

/** Thousands in groups of three, or of two and a last three as India writes them. */
function isGrouped(body: string, mark: string): boolean {
  const groups = body.split(mark);
  return (
    groups.length > 1 &&
    groups.every((group, at) =>
      (at === 0 ? /^\d{1,3}$/ : at === groups.length - 1 ? /^\d{3}$/ : /^\d{2,3}$/).test(group),
    )
  );
}

/** Moves the point right without ever going through a float. */
function plain(whole: string, fraction: string, shift: number): ReadNumber {
  const padded = fraction.padEnd(shift, '0');
  const digits = `${whole}${padded.slice(0, shift)}`.replace(/^0+(?=\d)/, '') || '0';
  const rest = padded.slice(shift);
  return { decimal: asDecimal(rest === '' ? digits : `${digits}.${rest}`) };
}

/** Made of digits and at most one point, which is what the type says. */
function asDecimal(text: string): `${number}` {
  return text as `${number}`;
}

/** The dearest a placement can be, in minor units of its currency: a million. */
const maxPriceCents = 100_000_000;

const currencySign =
  /US\s?\$|AU?\s?\$|CA?\s?\$|[$€£₹]|(?<!\p{L})(?:USD|EUR|EUROS?|GBP|AUD|CAD|INR)(?!\p{L})|(?<!\p{L})Rs\.?(?!\p{L})/giu;

const meanings: Record<string, Currency> = {
  ...{ US$: 'USD', A$: 'AUD', AU$: 'AUD', C$: 'CAD', CA$: 'CAD' },
  ...{ '€': 'EUR', EURO: 'EUR', EUROS: 'EUR', '£': 'GBP', '₹': 'INR', RS: 'INR' },
};

/** What most cells are, seen quickly: nothing but a number, or a number behind a dollar sign. */
const isBare = /^[\d.,]*$/;
const isDollars = /^\$[\d.,]+$/;

/** The currencies a text names by sign or code; a bare $ is the US dollar unless another currency is named beside it. */
function currenciesIn(text: string): Currency[] {
  const named = new Set<Currency>();
  let hasDollar = false;
  if (isBare.test(text)) return [];
  if (isDollars.test(text)) return ['USD'];
  for (const [sign] of text.matchAll(currencySign)) {
    const key = sign.toUpperCase().replace(/[\s.]/g, '');
    const currency = meanings[key] ?? currencies.find((code) => code === key);
    if (currency) named.add(currency);
    else hasDollar = true;
  }
  if (named.size === 0 && hasDollar) named.add('USD');
  return [...named];
}

/** The one currency a text names; null for none or several. */
export function currencyOf(text: string): Currency | null {
  const [first, ...others] = currenciesIn(text);
  return others.length === 0 ? (first ?? null) : null;
}

/** The cell with its currency taken away, and without the dash some write for no cents: "35,-". */
export function withoutCurrency(cell: string): string {
  if (isBare.test(cell)) return cell;
  if (isDollars.test(cell)) return cell.slice(1);
  return cell.replace(currencySign, ' ').replace(/[.,][-–—]+\s*$/, '');
}

type ReadPrice = { cents: number; currency: Currency | null } | { reason: string };

/**
 * A price as people write it: "$35", "€ 35,50", "35 EUR", "1.2K", "35,-".
 * @returns minor units, and the currency the cell names, if any
 */
export function readPrice(cell: string, style: NumberStyle): ReadPrice {
  if (currenciesIn(cell).length > 1) return { reason: 'This names more than one currency.' };
  const read = readNumber(withoutCurrency(cell), 'money', style);
  if ('problem' in read) {
    return {
      reason:
        read.problem === 'ambiguous'
          ? 'This can be read in two ways. Write it without a thousands separator.'
          : `This is no price in ${currencies.join(', ')}.`,
    };
  }
  const cents = parseMoney(read.decimal);
  if (cents === null || cents < 1 || cents > maxPriceCents) return { reason: 'Use a price from 0.01 to 1,000,000.' };
  return { cents, currency: currencyOf(cell) };
}
