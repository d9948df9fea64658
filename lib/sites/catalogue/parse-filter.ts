import { type SiteFilter, siteFilter } from './schemas';

/** The URL parameters of the marketplace that filter or sort, in a fixed order. */
export const siteFilterNames = siteFilter.keyof().options;

/**
 * Parses the marketplace's filter from its URL. Invalid values, for example from an old or edited link, are ignored and
 * reported instead of failing the page.
 * @param read returns the value of a parameter, '' if it is absent
 */
export function parseSiteFilter(read: (name: string) => string): { filter: SiteFilter; ignored: string[] } {
  const given = Object.fromEntries(siteFilterNames.map((name) => [name, read(name)]));
  const { success, data, error } = siteFilter.safeParse(given);
  if (success) return { filter: data, ignored: [] };
  const refused = new Set(error.issues.map(({ path }) => path[0]));
  const ignored = siteFilterNames.filter((name) => refused.has(name));
  for (const name of ignored) delete given[name];
  return { filter: siteFilter.parse(given), ignored };
}
