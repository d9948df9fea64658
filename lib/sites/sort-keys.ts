/** The keys that a list of sites can be sorted by; `price` is the price in USD, `added` the order of listing. */
export const siteSortKeys = ['price', 'da', 'dr', 'traffic', 'name', 'added'] as const;
export type SiteSortKey = (typeof siteSortKeys)[number];
