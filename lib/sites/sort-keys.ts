/**
 * The keys that a list of sites can be sorted by; `price` is the price in USD, `added` the order of listing, `value` DR and
 * traffic for the price (db/schema/sites.ts).
 */
export const siteSortKeys = ['price', 'da', 'dr', 'traffic', 'name', 'added', 'value'] as const;
export type SiteSortKey = (typeof siteSortKeys)[number];
