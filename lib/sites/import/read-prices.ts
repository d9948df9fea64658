import { type Currency, convertToUsdCents, currencies } from '../../money';
import { lessThanACent, type Rates } from '../usd-price';
import type { CellReader } from './cell-reader';
import { readPrice } from './read-price';

/** All prices of a site are in one currency: a row that names two is not guessed at. */
export function readPrices(cells: CellReader, rates: Rates) {
  let currency = statedCurrency(cells);
  const price = (field: 'sellerPrice' | 'adminPrice' | 'publicPrice') => {
    const text = cells.text(field);
    if (text === '') return null;
    const read = readPrice(text, cells.style);
    if ('reason' in read) return cells.fail(field, read.reason);
    const named = read.currency ?? cells.column(field)?.currency ?? null;
    if (named && currency && named !== currency) {
      return cells.fail(field, `This is in ${named}, but the row's other prices or its currency are in ${currency}.`);
    }
    currency ??= named;
    return read.cents;
  };
  const [sellerCents, adminCents, publicCents] = [price('sellerPrice'), price('adminPrice'), price('publicPrice')];
  const inForce = currency ?? 'USD';
  return {
    seller_price_cents: sellerCents,
    admin_price_cents: adminCents,
    public_price_cents: publicCents,
    public_currency: inForce,
    public_price_usd_cents: publicCents === null ? null : inUsd(cells, publicCents, inForce, rates),
  };
}

function statedCurrency(cells: CellReader): Currency | null {
  const text = cells.text('currency');
  if (text === '') return null;
  const code = text.toUpperCase();
  const found = currencies.find((known) => known === code) ?? currencyBySign.get(code);
  return found ?? cells.fail('currency', `Use one of ${currencies.join(', ')}.`);
}

const currencyBySign = new Map<string, Currency>([
  ['$', 'USD'],
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['₹', 'INR'],
]);

/** At the rate in force; without one a buyer could not be told what the site costs (decision 8). */
function inUsd(cells: CellReader, cents: number, currency: Currency, rates: Rates): number | null {
  const rate = currency === 'USD' ? 1_000_000 : rates.get(currency);
  if (!rate) {
    return cells.fail('publicPrice', `There is no exchange rate for ${currency}, so a price in it cannot be listed.`);
  }
  return convertToUsdCents(cents, rate) || cells.fail('publicPrice', lessThanACent);
}
