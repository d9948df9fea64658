import { type SiteFilter, siteFilter } from './schemas';

/** The parameters of the marketplace's address that filter or sort, in one sequence. */
export const siteFilterNames = siteFilter.keyof().options;

/**
 * Reads the marketplace's filter from its address. An address may be old or edited by hand, so a value that makes no
 * sense is left out and named instead of failing the page.
 * @param read the value of a parameter, '' when it is absent
 */
export function readSiteFilter(read: (name: string) => string): { filter: SiteFilter; ignored: string[] } {
  const given = Object.fromEntries(siteFilterNames.map((name) => [name, read(name)]));
  const { success, data, error } = siteFilter.safeParse(given);
  if (success) return { filter: data, ignored: [] };
  const refused = new Set(error.issues.map(({ path }) => path[0]));
  const ignored = siteFilterNames.filter((name) => refused.has(name));
  for (const name of ignored) delete given[name];
  return { filter: siteFilter.parse(given), ignored };
}
