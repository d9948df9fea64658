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
