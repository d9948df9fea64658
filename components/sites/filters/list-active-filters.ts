import { formatFigure } from '@/components/sites/site-text';
import {
  buyerFilters,
  checkFilters,
  choiceFilters,
  linkFilter,
  type RangeFilter,
  rangeFilters,
  sortChoices,
} from './filter-params';

/** Reads the values of a parameter; none when it is absent or invalid. */
export type ReadParam = (name: string) => readonly string[];

/** An active filter: its text, and the parameters that hold it. */
export type ActiveFilter = { text: string; params: readonly string[]; values?: readonly string[] };

/** Lists the active filters of a URL. `values` are those of a filter that can have several. */
export function listActiveFilters(readAll: ReadParam): ActiveFilter[] {
  const read = (name: string) => readAll(name)[0] ?? '';
  const search = read('q') ? [{ text: `“${read('q')}”`, params: ['q'] }] : [];
  const choices = choiceFilters.flatMap(({ label, param }) => {
    const values = readAll(param).filter(Boolean);
    return values.length > 0 ? [{ text: `${label}: ${values.join(' or ')}`, params: [param], values }] : [];
  });
  const link = read(linkFilter.param)
    ? [{ text: `${linkFilter.label}: ${read(linkFilter.param)}`, params: [linkFilter.param] }]
    : [];
  const ranges = rangeFilters.flatMap((range) => {
    const text = rangeText(range, read(range.min), read(range.max));
    return text ? [{ text: `${range.label} ${text}`, params: [range.min, range.max] }] : [];
  });
  const checks = [...checkFilters, ...buyerFilters].flatMap(({ label, param, values }) => {
    const names = Object.keys(values)
      .filter((value) => readAll(param).includes(value))
      .map((value) => values[value]);
    return names.length > 0 ? [{ text: [label, names.join(' and ')].filter(Boolean).join(': '), params: [param] }] : [];
  });
  return [...search, ...choices, ...link, ...checks, ...ranges];
}

function rangeText({ prefix = '', suffix = '' }: RangeFilter, min: string, max: string): string {
  const figure = (text: string) => `${prefix}${formatFigure(Number(text))}`;
  if (min && max) return `${figure(min)}–${figure(max)}${suffix}`;
  if (min) return `from ${figure(min)}${suffix}`;
  return max ? `up to ${figure(max)}${suffix}` : '';
}

const isOfBuyer = (name: string) => buyerFilters.some(({ param }) => param === name);

/** Describes the filters of a saved filter and the order in a query string. Returns '' if it has neither. */
export function describeFilter(query: string): string {
  const params = new URLSearchParams(query);
  const read = (name: string) => params.get(name) ?? '';
  const order = sortChoices.find(({ value }) => value !== '' && value === `${read('sort')}.${read('order') || 'asc'}`);
  return [
    read('postType'),
    ...listActiveFilters((name) => (isOfBuyer(name) ? [] : params.getAll(name))).map(({ text }) => text),
    read('show') === 'favourites' ? 'Favorites' : '',
    order?.label ?? '',
  ]
    .filter(Boolean)
    .join(' · ');
}
