import { sortChoices } from '@/components/sites/filters/address-filters';
import { listInForce } from '@/components/sites/filters/list-in-force';

/** A filter in words, from the address that holds it; '' when nothing in it filters or sorts. */
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
