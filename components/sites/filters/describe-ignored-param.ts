import { buyerFilters, checkFilters, choiceFilters, linkFilter, rangeFilters } from './filter-params';

const paramLabels: ReadonlyMap<string, string> = new Map([
  ['q', 'search'],
  ['postType', 'post type'],
  ['projectId', 'project'],
  ...[...choiceFilters, linkFilter, ...checkFilters, ...buyerFilters].map(({ label, param }): [string, string] => [
    param,
    toLowerFirst(label || 'linked sites').replace(/ only$/, ''),
  ]),
  ...rangeFilters.flatMap(({ label, min, max }): [string, string][] => [
    [min, `minimum ${toLowerFirst(label)}`],
    [max, `maximum ${toLowerFirst(label)}`],
  ]),
]);

/** Says that a URL parameter was ignored. A filter is named by its label on the screen, e.g. "minimum DR". */
export function describeIgnoredParam(name: string, value: string): string {
  const label = paramLabels.get(name);
  if (label === undefined) return `Unknown ${name} “${value}” was ignored.`;
  return `The value “${value}” for ${label} is invalid and was ignored.`;
}

/** Returns "price" for "Price", and "DR" unchanged. */
function toLowerFirst(label: string): string {
  return label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}
