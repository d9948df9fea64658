import { getListParams } from '@/lib/platform/http/parse';
import { type SiteFilter, siteFilter } from './schemas';

/** The URL parameters of the marketplace that filter or sort, in a fixed order. */
export const siteFilterNames = siteFilter.keyof().options;
/** Those of them that can be repeated. */
export const listFilterNames: ReadonlySet<string> = getListParams(siteFilter);

/**
 * Parses the marketplace's filter from its URL. Invalid values, for example from an old or edited link, are ignored and
 * reported instead of failing the page.
 * @param read returns the values of a parameter; only a list filter uses more than the first
 */
export function parseSiteFilter(read: (name: string) => readonly string[]): { filter: SiteFilter; ignored: string[] } {
  const given: Record<string, string | readonly string[]> = Object.fromEntries(
    siteFilterNames.map((name) => [name, listFilterNames.has(name) ? read(name) : (read(name)[0] ?? '')]),
  );
  const { success, data, error } = siteFilter.safeParse(given);
  if (success) return { filter: data, ignored: [] };
  const refused = new Set(error.issues.map(({ path }) => path[0]));
  const ignored = siteFilterNames.filter((name) => refused.has(name));
  for (const name of ignored) delete given[name];
  return { filter: siteFilter.parse(given), ignored };
}
