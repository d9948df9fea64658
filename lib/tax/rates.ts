import type { CountryRate } from './contract';
import { vatTerritory } from './countries';

/**
 * The standard rates of value added tax in the member states since 2024, in hundredths of a percent (European Commission,
 * "Taxes in Europe Database"; no standard rate changed in 2026). A change is a row with its first day; rows are never edited.
 */
const standardRates: readonly CountryRate[] = [
  ...Object.entries({
    ...{ AT: 2000, BE: 2100, BG: 2000, CY: 1900, CZ: 2100, DE: 1900, DK: 2500, EE: 2200, ES: 2100 },
    ...{ FI: 2400, FR: 2000, GR: 2400, HR: 2500, HU: 2700, IE: 2300, IT: 2200, LT: 2100, LU: 1700 },
    ...{ LV: 2100, MT: 1800, NL: 2100, PL: 2300, PT: 2300, RO: 1900, SE: 2500, SI: 2200, SK: 2000 },
  }).map(([country, rate]) => ({ country, from: '2024-01-01', rate })),
  { country: 'FI', from: '2024-09-01', rate: 2550 },
  { country: 'SK', from: '2025-01-01', rate: 2300 },
  { country: 'EE', from: '2025-07-01', rate: 2400 },
  { country: 'RO', from: '2025-08-01', rate: 2100 },
];

/**
 * Finds the rate of a country on a day, in hundredths of a percent; null if none is known.
 * @param own rates of the operator, which replace the others from their day on
 */
export function findRate(own: readonly CountryRate[], country: string, day: string): number | null {
  return findRow(own, country, day)?.rate ?? null;
}

const findRow = (own: readonly CountryRate[], country: string, day: string): CountryRate | null =>
  findNewest(own, country, day) ?? findNewest(standardRates, country, day);

const findNewest = (rates: readonly CountryRate[], country: string, day: string) =>
  rates
    .filter((rate) => vatTerritory(rate.country) === vatTerritory(country) && rate.from <= day)
    .reduce<CountryRate | null>((best, rate) => (best && best.from > rate.from ? best : rate), null);

/** Lists the rates in force on a day by country, with the first day of each; `isOwn` for those of the operator. */
export function listRates(own: readonly CountryRate[], day: string): (CountryRate & { isOwn: boolean })[] {
  const countries = [...new Set([...standardRates, ...own].map(({ country }) => vatTerritory(country)))].sort();
  return countries.flatMap((country) => {
    const row = findRow(own, country, day);
    return row ? [{ ...row, country, isOwn: own.includes(row) }] : [];
  });
}
