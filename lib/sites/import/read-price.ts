import { type Currency, currencies, parseMoney } from '../../money';
import { type NumberStyle, readNumber } from './read-number';

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

export type ReadPrice = { cents: number; currency: Currency | null } | { reason: string };

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
