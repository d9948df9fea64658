import { z } from 'zod';
import { type SiteFilter, siteFilterFields } from './schemas';

/** The parameters of the marketplace's address that filter or sort, in one sequence. */
export const siteFilterNames = z.keyof(z.object(siteFilterFields)).options;

/**
 * Reads the marketplace's filter from its address. An address may be old or edited by hand, so a value that makes no
 * sense is left out and named instead of failing the page.
 * @param read the value of a parameter, '' when it is absent
 */
export function readSiteFilter(read: (name: string) => string): { filter: SiteFilter; ignored: string[] } {
  const given = Object.fromEntries(siteFilterNames.map((name) => [name, read(name)]));
  const ignored = siteFilterNames.filter((name) => !siteFilterFields[name].safeParse(given[name]).success);
  for (const name of ignored) delete given[name];
  return { filter: z.object(siteFilterFields).parse(given), ignored };
}
