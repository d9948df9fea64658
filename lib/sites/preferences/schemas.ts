import { z } from 'zod';
import { siteMarkKinds } from '../../../db/schema/site-preferences';
import { readSiteFilter, siteFilterNames } from '../catalogue/read-filter';
import { siteColumns } from '../columns';

/**
 * What a saved filter keeps of the marketplace's address: every filter, the order and whose sites, in one sequence, so
 * that the same filter is the same text. Pages, rows, and values that make no sense are left out.
 * @returns '' when nothing is left
 */
function savedQuery(query: string): string {
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

/** How many a person can keep of each. */
export const maxSavedFilters = 50;
export const maxSiteMarks = 2_000;
const maxFilterName = 60;

/** Marks a site as a favourite or as hidden, or takes the mark away. Doing it twice is doing it once. */
export const markSiteInput = z.object({
  siteId: z.int().positive().max(2_147_483_647),
  kind: z.enum(siteMarkKinds),
  on: z.boolean(),
});
export type MarkSiteInput = z.output<typeof markSiteInput>;

/** `query` is the marketplace's address after the question mark; only filters that make sense are kept of it. */
export const saveFilterInput = z.object({
  name: z
    .string()
    .transform((text) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim())
    .pipe(z.string().min(1, 'Enter a name.').max(maxFilterName, `Use at most ${maxFilterName} characters.`)),
  query: z
    .string()
    .max(4_000)
    .transform(savedQuery)
    .refine((query) => query !== '', 'Set a filter first.'),
  /** May take the place of the filter that has this name already. */
  overwrite: z.boolean(),
});
export type SaveFilterInput = z.output<typeof saveFilterInput>;

export const deleteFilterInput = z.object({ id: z.string().min(1).max(64) });

export const saveColumnsInput = z.object({
  columns: z.array(z.enum(siteColumns)).max(siteColumns.length * 2),
});
