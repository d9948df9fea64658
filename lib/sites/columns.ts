/** The optional columns of the marketplace's table, in display order. Website and price are always shown. */
export const optionalSiteColumns = [
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
export type SiteColumn = (typeof optionalSiteColumns)[number];

/** Sort keys of a list of sites; `price` is the price in USD, `added` the order in which sites were created. */
export const siteSortKeys = ['price', 'da', 'dr', 'traffic', 'name', 'added'] as const;
export type SiteSortKey = (typeof siteSortKeys)[number];
