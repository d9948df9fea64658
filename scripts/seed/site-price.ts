import { type Currency, convertToUsdCents } from '@/lib/money';
import type { Place } from './places';
import type { Random } from './random';
import { ratesToUsd } from './rates';

export type SitePrices = {
  publicCurrency: Currency;
  sellerPriceCents: number;
  adminPriceCents: number;
  publicPriceCents: number;
  /** At the seeded rate, as everywhere. */
  publicPriceUsdCents: number;
};

const lowestUsd = 25;
const highestUsd = 2500;

/** How likely a seller with a currency of their own prices in it. */
const ownCurrency = 0.42;

/** What a placement of each kind costs beside a guest post. */
export const postTypeLevels: Record<string, number> = {
  'Guest posts': 1,
  'Homepage links': 1.5,
  'Innerpage links': 0.75,
  'Sitewide links': 2.1,
};

/**
 * Prices as marketplaces have them: most are small, few are large; seller below admin below public.
 * @param level post type and niche together, 1 is average
 */
export function generatePrices(random: Random, quality: number, place: Place, level: number): SitePrices {
  const wished = Math.exp(Math.log(30) + 3.9 * quality + 0.32 * random.normal()) * place.priceLevel * level;
  const usd = Math.min(highestUsd * 0.99, Math.max(lowestUsd * (1.04 + 0.5 * random.next()), wished));
  const currency = place.currency !== 'USD' && random.chance(ownCurrency) ? place.currency : 'USD';
  const rate = ratesToUsd[currency];
  const step = stepFor(usd) * (currency === 'INR' ? 80 : 1);
  const publicPrice = Math.max(step, Math.round((usd * 1_000_000) / rate / step) * step);
  const publicPriceCents = inRange(publicPrice, step, rate) * 100;
  const adminPriceCents = Math.round(publicPriceCents * (0.84 + 0.08 * random.next()));
  const sellerPriceCents = Math.round(adminPriceCents * (0.72 + 0.14 * random.next()));
  return {
    publicCurrency: currency,
    sellerPriceCents: wholeUnits(sellerPriceCents),
    adminPriceCents: wholeUnits(adminPriceCents),
    publicPriceCents,
    publicPriceUsdCents: convertToUsdCents(publicPriceCents, rate),
  };
}

function stepFor(usd: number): number {
  if (usd < 100) return 1;
  return usd < 500 ? 5 : 25;
}

/** Keeps a price in the range that the demo promises, which rounding and converting could leave. */
function inRange(price: number, step: number, rate: number): number {
  const usdCents = convertToUsdCents(price * 100, rate);
  if (usdCents < lowestUsd * 100) return price + step * Math.ceil((lowestUsd * 1_000_000) / rate / step - price / step);
  return usdCents > highestUsd * 100 ? price - step : price;
}

function wholeUnits(cents: number): number {
  return Math.floor(cents / 100) * 100;
}
