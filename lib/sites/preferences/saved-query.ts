import { readSiteFilter, siteFilterNames } from '../read-filter';

/**
 * What a saved filter keeps of the marketplace's address: every filter, the order and whose sites, in one sequence, so
 * that the same filter is the same text. Pages, rows, and values that make no sense are left out.
 * @returns '' when nothing is left
 */
export function savedQuery(query: string): string {
  const given = new URLSearchParams(query);
  const read = (name: string) => (given.get(name) ?? '').replaceAll('\u0000', '').trim();
  const { ignored } = readSiteFilter(read);
  const kept = new URLSearchParams();
  for (const name of siteFilterNames) {
    if (read(name) !== '' && !ignored.includes(name)) kept.set(name, read(name));
  }
  if (given.get('show') === 'favourites') kept.set('show', 'favourites');
  return kept.toString();
}
