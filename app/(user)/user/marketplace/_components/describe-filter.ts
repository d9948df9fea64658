import { sortChoices } from '@/components/sites/filters/filter-params';
import { listActiveFilters } from '@/components/sites/filters/list-active-filters';

/** Describes the filters and the order in a query string. Returns '' if it has neither. */
export function describeFilter(query: string): string {
  const params = new URLSearchParams(query);
  const read = (name: string) => params.get(name) ?? '';
  const order = sortChoices.find(({ value }) => value !== '' && value === `${read('sort')}.${read('order') || 'asc'}`);
  return [
    read('postType'),
    ...listActiveFilters((name) => params.getAll(name)).map(({ text }) => text),
    read('show') === 'favourites' ? 'Favorites' : '',
    order?.label ?? '',
  ]
    .filter(Boolean)
    .join(' · ');
}
