import { sortChoices } from '@/components/sites/filters/address-filters';
import { listInForce } from '@/components/sites/filters/list-in-force';

/** Describes the filters and the order in a query string. Returns '' if it has neither. */
export function describeFilter(query: string): string {
  const params = new URLSearchParams(query);
  const read = (name: string) => params.get(name) ?? '';
  const order = sortChoices.find(({ value }) => value !== '' && value === `${read('sort')}.${read('order') || 'asc'}`);
  return [
    read('postType'),
    ...listInForce(read).map(({ text }) => text),
    read('show') === 'favourites' ? 'Favourites' : '',
    order?.label ?? '',
  ]
    .filter(Boolean)
    .join(' · ');
}
