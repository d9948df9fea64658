import type { RangeKey } from '@/lib/sites/catalogue/range-stops';

/** The options of each select. */
export type SiteChoices = Record<ChoiceParam, readonly string[]>;

export const marketplacePath = '/user/marketplace';

export type CheckFilter = { label: string; param: string; values: Readonly<Record<string, string>> };

export type RangeFilter = {
  key: RangeKey;
  label: string;
  unit?: string;
  /** Shown before and after the numbers of a chip. */
  prefix?: string;
  suffix?: string;
  /** The URL parameters of the range. */
  min: string;
  max: string;
  limit?: number;
  step: number;
};

export const rangeFilters: readonly RangeFilter[] = [
  { key: 'dr', label: 'DR', unit: '0–100', min: 'minDr', max: 'maxDr', limit: 100, step: 1 },
  { key: 'da', label: 'DA', unit: '0–100', min: 'minDa', max: 'maxDa', limit: 100, step: 1 },
  { key: 'traffic', label: 'Traffic', unit: 'per month', min: 'minTraffic', max: 'maxTraffic', step: 1 },
  { key: 'price', label: 'Price', unit: 'USD', prefix: '$', min: 'minPrice', max: 'maxPrice', step: 0.01 },
  { key: 'spam', label: 'Spam score', unit: '%', suffix: '%', min: 'minSpam', max: 'maxSpam', limit: 100, step: 1 },
  { key: 'tat', label: 'Turnaround', unit: 'days', suffix: ' days', min: 'minTat', max: 'maxTat', limit: 365, step: 1 },
];

/** The filters by a list of values. The URL repeats the parameter of several values. */
export const choiceFilters = [
  { label: 'Niche', param: 'niche', all: 'All niches' },
  { label: 'Country', param: 'country', all: 'All countries' },
  { label: 'Language', param: 'language', all: 'All languages' },
] as const;

/** The filter with a single value. */
export const linkFilter = { label: 'Link', param: 'followType', all: 'Any link' } as const;
type ChoiceParam = (typeof choiceFilters)[number]['param'] | (typeof linkFilter)['param'];

/** The filters by checkboxes, whose values a site must match all: each with its label, or with that of the filter. */
export const checkFilters: readonly CheckFilter[] = [
  { label: 'Measured figures only', param: 'measured', values: { dr: 'DR', traffic: 'Traffic' } },
  { label: 'Verified owners only', param: 'owner', values: { '1': '' } },
];

/** The filters by what a buyer has: links to the current project, and blocked domains. A saved filter has none of them. */
export const buyerFilters: readonly CheckFilter[] = [
  { label: '', param: 'hideLinked', values: { '1': 'Linked sites hidden', '0': 'Linked sites shown' } },
  { label: 'Blocked sites only', param: 'blocked', values: { '1': '' } },
];

export const followTypes = ['DoFollow', 'NoFollow'];

/** The URL parameters that filter the list. The post type is a tab; the order and the current project are no filters. */
export const filterParams: readonly string[] = [
  'q',
  ...choiceFilters.map(({ param }) => param),
  linkFilter.param,
  ...[...checkFilters, ...buyerFilters].map(({ param }) => param),
  ...rangeFilters.flatMap(({ min, max }) => [min, max]),
];

/** The sort orders in the select that replaces the sortable header in the card view. */
export const sortChoices = [
  { value: '', label: 'Price, low to high' },
  { value: 'price.desc', label: 'Price, high to low' },
  { value: 'dr.desc', label: 'DR, high to low' },
  { value: 'da.desc', label: 'DA, high to low' },
  { value: 'traffic.desc', label: 'Traffic, high to low' },
  { value: 'value.desc', label: 'Best value' },
  { value: 'reliability.desc', label: 'Most reliable' },
  { value: 'name.asc', label: 'Name, A to Z' },
  { value: 'added.desc', label: 'Newest first' },
] as const;
