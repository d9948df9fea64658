/** The marketplace's columns that a person may leave out, in their order. Website and price always stand. */
export const siteColumns = [
  'niche',
  'country',
  'dr',
  'da',
  'as',
  'traffic',
  'keywords',
  'refDomains',
  'spam',
  'link',
  'words',
  'tat',
] as const;
export type SiteColumn = (typeof siteColumns)[number];

/** What a list of sites can be sorted by; `price` is the price in USD (decision 8), `added` the order of listing. */
export const siteSortKeys = ['price', 'da', 'dr', 'traffic', 'name', 'added'] as const;
export type SiteSortKey = (typeof siteSortKeys)[number];
