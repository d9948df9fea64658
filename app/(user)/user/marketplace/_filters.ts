/** The marketplace's address and the parts of its filter bar. */
export const marketplacePath = '/user/marketplace';

export type RangeFilter = {
  label: string;
  unit?: string;
  /** Parameters of the address. */
  min: string;
  max: string;
  limit?: number;
  step: number;
};

export const rangeFilters: readonly RangeFilter[] = [
  { label: 'DR', unit: '0–100', min: 'minDr', max: 'maxDr', limit: 100, step: 1 },
  { label: 'DA', unit: '0–100', min: 'minDa', max: 'maxDa', limit: 100, step: 1 },
  { label: 'Traffic', unit: 'a month', min: 'minTraffic', max: 'maxTraffic', step: 1 },
  { label: 'Price', unit: 'USD', min: 'minPrice', max: 'maxPrice', step: 0.01 },
  { label: 'Spam score', unit: '%', min: 'minSpam', max: 'maxSpam', limit: 100, step: 1 },
];

/** Choices that a select offers. */
export const choiceFilters = ['niche', 'country', 'language', 'followType'] as const;

/** Orders a select offers where the sortable header is folded into cards. */
export const sortChoices = [
  { value: '', label: 'Price, low to high' },
  { value: 'price.desc', label: 'Price, high to low' },
  { value: 'dr.desc', label: 'DR, high to low' },
  { value: 'da.desc', label: 'DA, high to low' },
  { value: 'traffic.desc', label: 'Traffic, high to low' },
  { value: 'name.asc', label: 'Name, A to Z' },
] as const;
