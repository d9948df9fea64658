import type { Currency } from '../money';
import type { MarketplaceRow } from './views';

/** A marketplace row as sent to the browser: an array of values, a third of the size of an object with keys. */
export type PackedRow = readonly [
  id: number,
  name: string,
  url: string,
  niche: string,
  country: string,
  language: string,
  dr: number | null,
  da: number | null,
  as: number | null,
  spam: number | null,
  traffic: number | null,
  keywords: number | null,
  refDomains: number | null,
  words: number,
  tatDays: number,
  follow: 0 | 1,
  favourite: 0 | 1,
  usdCents: number,
  /** Only present if the price is not in USD. */
  priceCents?: number,
  currency?: Currency,
];

export type ListedRow = MarketplaceRow & { favourite: boolean };

export function packRow(row: MarketplaceRow, isFavourite: boolean): PackedRow {
  const packed = [
    row.id,
    row.name,
    row.url,
    row.niche,
    row.country,
    row.language,
    row.dr,
    row.da,
    row.as,
    row.spam,
    row.traffic,
    row.keywords,
    row.refDomains,
    row.words,
    row.tatDays,
    row.follow ? 1 : 0,
    isFavourite ? 1 : 0,
    row.usdCents,
  ] as const;
  return row.currency === 'USD' ? packed : [...packed, row.priceCents, row.currency];
}

export function unpackRow(packed: PackedRow): ListedRow {
  const [id, name, url, niche, country, language, dr, da, as, spam, traffic, keywords, refDomains, words, ...rest] =
    packed;
  const [tatDays, follow, favourite, usdCents, priceCents = usdCents, currency = 'USD'] = rest;
  const figures = { dr, da, as, spam, traffic, keywords, refDomains, words, tatDays };
  const terms = { follow: follow === 1, favourite: favourite === 1, usdCents, priceCents, currency };
  return { id, name, url, niche, country, language, ...figures, ...terms };
}
