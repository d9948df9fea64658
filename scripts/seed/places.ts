import type { Currency } from '@/lib/money';

export type NameLanguage = 'en' | 'de' | 'fr' | 'es' | 'it' | 'nl' | 'pt' | 'pl' | 'sv';

export const languageNames: Record<NameLanguage, string> = {
  en: 'English',
  de: 'German',
  fr: 'French',
  es: 'Spanish',
  it: 'Italian',
  nl: 'Dutch',
  pt: 'Portuguese',
  pl: 'Polish',
  sv: 'Swedish',
};

export type Place = {
  country: string;
  /** How much of the inventory comes from here. */
  weight: number;
  tongues: readonly (readonly [NameLanguage, number])[];
  /** Its own currency, used by some of its sellers; the others price in USD. */
  currency: Currency;
  /** What a placement costs here beside one in the USA. */
  priceLevel: number;
  /** A word an English-language publication of the country may carry in its name. */
  epithets: readonly string[];
};

const english = [['en', 1]] as const;

export const places: readonly Place[] = [
  place('USA', 300, english, 'USD', 1, ['Brooklyn', 'Midwest', 'Pacific', 'Austin', 'Lone Star', 'Blue Ridge']),
  place('United Kingdom', 120, english, 'GBP', 0.95, ['Thames', 'Camden', 'Yorkshire', 'Brighton']),
  place('India', 75, english, 'INR', 0.42, ['Mumbai', 'Deccan', 'Bengaluru', 'Monsoon']),
  place('Canada', 62, [...english, ['fr', 0.15]], 'CAD', 0.85, ['Maple', 'Ottawa', 'Prairie', 'Northern']),
  place('Australia', 62, english, 'AUD', 0.9, ['Coral', 'Outback', 'Harbour', 'Gumtree']),
  place('Germany', 70, [['de', 1]], 'EUR', 1, []),
  place('France', 52, [['fr', 1]], 'EUR', 0.92, []),
  place('Spain', 42, [['es', 1]], 'EUR', 0.75, []),
  place('Italy', 40, [['it', 1]], 'EUR', 0.76, []),
  place('Netherlands', 32, [['nl', 1]], 'EUR', 0.9, []),
  place('Brazil', 26, [['pt', 1]], 'USD', 0.5, []),
  place('Mexico', 22, [['es', 1]], 'USD', 0.52, []),
  place('Poland', 20, [['pl', 1]], 'EUR', 0.55, []),
  place('Sweden', 15, [['sv', 1]], 'EUR', 0.9, []),
  place('Austria', 14, [['de', 1]], 'EUR', 0.95, []),
  place(
    'Switzerland',
    12,
    [
      ['de', 0.7],
      ['fr', 0.3],
    ],
    'EUR',
    1.2,
    [],
  ),
  place('Ireland', 14, english, 'EUR', 0.9, ['Emerald', 'Liffey']),
  place('New Zealand', 12, english, 'AUD', 0.82, ['Kiwi', 'Southern']),
  place('South Africa', 12, english, 'USD', 0.55, ['Cape', 'Savanna']),
  place('Singapore', 10, english, 'USD', 0.95, ['Straits', 'Marina']),
];

function place(
  country: string,
  weight: number,
  tongues: Place['tongues'],
  currency: Currency,
  priceLevel: number,
  epithets: readonly string[],
): Place {
  return { country, weight, tongues, currency, priceLevel, epithets };
}
