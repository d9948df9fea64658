import { z } from 'zod';
import { marketplaceList, siteMarkKinds } from '@/db/schema/site-preferences';
import { listFilterNames, parseSiteFilter, siteFilterNames } from '@/lib/sites/catalogue/schemas';
import { filterNameField } from '@/lib/users/saved-filters';

/**
 * Normalizes the marketplace's URL query for a saved filter: filters, sort order and favourites in a fixed order, so that
 * equal filters have equal text. Drops pagination and invalid values.
 * @returns '' if nothing remains
 */
function normalizeQuery(query: string): string {
  const input = new URLSearchParams(query);
  const read = (name: string) =>
    input
      .getAll(name)
      .map((text) => text.replaceAll('\u0000', '').trim())
      .filter((text) => text !== '');
  const { ignored } = parseSiteFilter(read);
  const normalized = new URLSearchParams();
  for (const name of siteFilterNames) {
    if (ignored.includes(name)) continue;
    const values = listFilterNames.has(name) ? [...new Set(read(name))].sort() : read(name).slice(0, 1);
    for (const value of values) normalized.append(name, value);
  }
  if (input.get('show') === 'favourites') normalized.set('show', 'favourites');
  return normalized.toString();
}

/** The limit per user. */
export const maxSiteMarks = 2_000;

/** Sets or removes a mark on a site. Idempotent. */
export const markSiteInput = z.object({
  siteId: z.int().positive().max(2_147_483_647),
  kind: z.enum(siteMarkKinds),
  on: z.boolean(),
});
export type MarkSiteInput = z.output<typeof markSiteInput>;

/** `query` is the query string of the marketplace's URL; only valid filters are saved. */
export const saveFilterInput = z
  .object({
    name: filterNameField,
    query: z
      .string()
      .max(4_000)
      .transform(normalizeQuery)
      .refine((query) => query !== '', 'Set a filter first.'),
    /** Replaces an existing filter of the same name. */
    overwrite: z.boolean(),
  })
  .transform((input) => ({ ...input, list: marketplaceList }));
