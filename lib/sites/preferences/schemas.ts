import { z } from 'zod';
import { marketplaceList, siteMarkKinds } from '@/db/schema/site-preferences';
import { listFilterNames, parseSiteFilter, siteFilterNames } from '@/lib/sites/catalogue/schemas';
import { filterNameField } from '@/lib/users/saved-filters';

/**
 * Normalizes parameters of the marketplace's URL query: in a fixed order, so that equal filters have equal text. Drops
 * invalid values.
 */
function normalizeParams(query: string, names: readonly string[]): URLSearchParams {
  const input = new URLSearchParams(query);
  const read = (name: string) =>
    input
      .getAll(name)
      .map((text) => text.replaceAll('\u0000', '').trim())
      .filter((text) => text !== '');
  const { ignored } = parseSiteFilter(read);
  const normalized = new URLSearchParams();
  for (const name of names) {
    if (ignored.includes(name)) continue;
    const values = listFilterNames.has(name) ? [...new Set(read(name))].sort() : read(name).slice(0, 1);
    for (const value of values) normalized.append(name, value);
  }
  return normalized;
}

/** A saved filter applies to any project. */
const savedNames = siteFilterNames.filter((name) => !['projectId', 'hideLinked', 'blocked'].includes(name));

/**
 * Normalizes the marketplace's URL query for a saved filter: filters, sort order and favourites. Drops pagination.
 * @returns '' if nothing remains
 */
function normalizeQuery(query: string): string {
  const normalized = normalizeParams(query, savedNames);
  if (new URLSearchParams(query).get('show') === 'favourites') normalized.set('show', 'favourites');
  return normalized.toString();
}

/** The maximum length of a query that is stored. */
const maxQueryLength = 4_000;

/** A search is for once. */
const viewNames = siteFilterNames.filter((name) => name !== 'q');

/**
 * Normalizes the marketplace's URL query for the view that opens next time: filters, order, project and post type.
 * @returns '' for the view of a new buyer, and null if the query has none of these
 */
export function normalizeView(query: string): string | null {
  const input = new URLSearchParams(query);
  if (!viewNames.some((name) => input.has(name))) return null;
  const view = normalizeParams(query, viewNames);
  if ((view.get('sort') ?? 'price') === 'price' && view.get('order') !== 'desc') {
    view.delete('sort');
    view.delete('order');
  }
  const text = view.toString();
  return text.length > maxQueryLength ? null : text;
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
      .max(maxQueryLength)
      .transform(normalizeQuery)
      .refine((query) => query !== '', 'Set a filter first.'),
    /** Replaces an existing filter of the same name. */
    overwrite: z.boolean(),
  })
  .transform((input) => ({ ...input, list: marketplaceList }));
