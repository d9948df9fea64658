import { z } from 'zod';
import { followTypes } from '@/db/schema/sites';
import { parseMoney } from '@/lib/money';
import { splitSearchWords } from '@/lib/network/search-words';
import { choiceParam, integerParam, lineField, nameField } from '@/lib/platform/http/fields';
import { getListParams, parseFilters } from '@/lib/platform/http/parse';

/**
 * The keys that a list of sites can be sorted by; `price` is the price in USD, `added` the order of listing, `value` DR and
 * traffic for the price (db/schema/sites.ts).
 */
export const siteSortKeys = ['price', 'da', 'dr', 'traffic', 'name', 'added', 'value', 'reliability'] as const;
export type SiteSortKey = (typeof siteSortKeys)[number];

/** A position in a sorted list: after the last site of a page or before its first. Stable while sites are added and removed. */
export type SiteCursor = {
  toward: 'next' | 'previous';
  sort: SiteSortKey;
  order: 'asc' | 'desc';
  /** The value of the sorted column at this position; null if it is unknown. */
  value: string | number | null;
  id: number;
};

const parts = z.tuple([
  z.enum(['next', 'previous']),
  z.enum(siteSortKeys),
  z.enum(['asc', 'desc']),
  z.union([z.string().max(400), z.number(), z.null()]),
  z.int().min(1).max(2_147_483_647),
]);

const cursorScore = z.number().nullable();

/** Valid values of each sorted column (db/schema/sites.ts); PostgreSQL rejects a fraction for a bigint. */
const cursorValue: Record<SiteSortKey, z.ZodType> = {
  name: z.string().refine((name) => !name.includes('\u0000')),
  price: z.int(),
  traffic: z.int().nullable(),
  dr: cursorScore,
  da: cursorScore,
  added: z.number(),
  value: z.int().nullable(),
  reliability: cursorScore,
};

/** Encodes a cursor as URL-safe base64. */
export function encodeCursor({ toward, sort, order, value, id }: SiteCursor): string {
  return Buffer.from(JSON.stringify([toward, sort, order, value, id])).toString('base64url');
}

/** Decodes a cursor. @returns null for an invalid cursor */
export function decodeCursor(text: string): SiteCursor | null {
  const parsed = parts.safeParse(parseJson(Buffer.from(text, 'base64url').toString()));
  if (!parsed.success) return null;
  const [toward, sort, order, value, id] = parsed.data;
  return cursorValue[sort].safeParse(value).success ? { toward, sort, order, value, id } : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Rows per page of the marketplace. */
export const sitePageSizes = [10, 20, 30, 50, 100] as const;
export const defaultSitePageSize = 30;

/** The maximum length of a name or of the words of a search. */
const maxNameLength = 100;
/** The maximum length of an address, as all browsers support it. */
const maxUrlLength = 2_048;
const name = lineField(maxNameLength).optional();
/** A search of names and addresses. The length is that of the words to search, as the address of an article is long. */
const search = lineField(maxUrlLength)
  .refine((q) => splitSearchWords(q).join(' ').length <= maxNameLength, `Use at most ${maxNameLength} characters.`)
  .optional();
/** The maximum number of values of one filter. */
const maxNames = 50;
const eachName = lineField(maxNameLength);
/** One value, or several by repeating the parameter: sites with any of them. Drops blank and repeated values. */
const names = z
  .union([eachName, z.array(eachName).max(maxNames)], `Use at most ${maxNames} values of at most 100 characters.`)
  .transform((input) => {
    const list = [...new Set([input].flat().filter((text) => text !== ''))];
    return list.length > 0 ? list : undefined;
  })
  .optional();
const decimal = z
  .string()
  .trim()
  .regex(/^\d{1,15}(\.\d{1,6})?$/, 'Use a number, e.g. 40.')
  .transform(Number);
const score = decimal.refine((value) => value <= 100, 'Use a number from 0 to 100.').optional();
const days = z
  .string()
  .trim()
  .regex(/^\d{1,3}$/, 'Use a whole number of days, e.g. 7.')
  .transform(Number)
  .optional();
/** An amount in USD, converted to cents. */
const usd = decimal
  .transform((value, context) => {
    const cents = parseMoney(value);
    if (cents !== null) return cents;
    context.addIssue({ code: 'custom', message: 'Use an amount, e.g. 120.' });
    return z.NEVER;
  })
  .optional();

/** The figures of which sites with a measured one can be selected. */
const measuredMetric = z.enum(['dr', 'traffic']);

/** The filters of GET /api/guest-posts and of the marketplace's URL, which use the same names. Lists are OR, filters AND. */
export const siteFilter = z.object({
  q: search,
  niche: names.describe('Sites of this niche. Repeat the parameter for sites of any of several niches.'),
  country: names.describe('Sites of this country. Repeat the parameter for sites of any of several countries.'),
  language: names.describe('Sites in this language. Repeat the parameter for sites in any of several languages.'),
  postType: name,
  followType: z.enum(followTypes, 'Use DoFollow or NoFollow.').optional(),
  minDr: score,
  maxDr: score,
  minDa: score,
  maxDa: score,
  minSpam: score,
  maxSpam: score,
  // Traffic is an integer.
  minTraffic: decimal.transform(Math.ceil).optional(),
  maxTraffic: decimal.transform(Math.floor).optional(),
  minPrice: usd,
  maxPrice: usd,
  /** Turnaround in days. */
  minTat: days,
  maxTat: days,
  measured: z
    .union([measuredMetric, z.array(measuredMetric).max(maxNames)], 'Use dr or traffic.')
    .transform((input) => (input.length > 0 ? [...new Set([input].flat())].sort() : undefined))
    .optional()
    .describe('Sites whose DR or traffic is measured, not typed. Repeat the parameter for both.'),
  owner: z.literal('1', 'Use 1.').optional().describe('With 1, sites whose seller proved the domain.'),
  projectId: nameField('Enter the id of a project.', 64)
    .optional()
    .describe('A project of the caller. Each site then has `linked`, and the block list of the project applies too.'),
  hideLinked: z
    .enum(['0', '1'], 'Use 0 or 1.')
    .optional()
    .describe('With 1, sites that neither link to the project of `projectId`, nor did, nor are ordered for it.'),
  blocked: z.literal('1', 'Use 1.').optional().describe('With 1, only the sites of blocked domains.'),
  sort: choiceParam(siteSortKeys)
    .optional()
    .describe(
      'The key to sort by; `price` without it. `value` is DR times the magnitude of the traffic, per USD, `reliability` the chance that an order is delivered in time and its link stays.',
    ),
  order: z.enum(['asc', 'desc'], 'Use asc or desc.').optional(),
});
export type SiteFilter = z.output<typeof siteFilter>;

const hasProjectOfLinks = ({ hideLinked, projectId }: Pick<SiteFilter, 'hideLinked' | 'projectId'>) =>
  hideLinked !== '1' || projectId !== undefined;

/** The rule that the filter by links names their project, for `refine`. */
export const linkedNeedsProject: [typeof hasProjectOfLinks, { path: string[]; message: string }] = [
  hasProjectOfLinks,
  { path: ['hideLinked'], message: 'Use this filter with a projectId.' },
];

/** The maximum number of `ids` in one request. */
const maxIds = 100;
const ids = z
  .string()
  .regex(/^\d{1,9}(,\d{1,9})*$/, 'Use numbers separated by commas.')
  .transform((text) => [...new Set(text.split(',').map(Number))])
  .refine((list) => list.length <= maxIds, `Request at most ${maxIds} sites.`)
  .optional();

/** The X-Next-Cursor header of an earlier response. Its length depends on the site's name. */
const cursor = z
  .string()
  .max(2_000)
  .transform((text, context) => {
    const read = decodeCursor(text);
    if (read) return read;
    context.addIssue({ code: 'custom', message: 'Use the X-Next-Cursor of an earlier response.' });
    return z.NEVER;
  })
  .optional();

/**
 * How X-Total-Count is determined: exactly, up to 1,000 (more sets X-Total-Capped), or not at all. With `hideLinked` of a
 * buyer it is never counted further.
 */
const totalKinds = ['exact', 'capped', 'none'] as const;

/**
 * The query of GET /api/guest-posts; an invalid value is an error. `ids` selects specific sites. `cursor` selects the
 * page after the one whose response returned it, at a cost that does not grow with the depth, unlike `offset`.
 */
export const sitesQuery = siteFilter
  .extend({
    ids,
    limit: integerParam(1, 10_000).optional(),
    offset: integerParam(0, 10_000_000).optional(),
    cursor,
    total: choiceParam(totalKinds).optional(),
  })
  .refine(...linkedNeedsProject)
  .superRefine(({ cursor, limit, offset, sort = 'price', order = 'asc' }, context) => {
    if (!cursor) return;
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['cursor'], message });
    if (cursor.sort !== sort || cursor.order !== order) refuse('This cursor belongs to a list in another sort order.');
    if (offset) refuse('Use a cursor or an offset, not both.');
    if (limit === undefined) refuse('A cursor needs a limit.');
  });
export type SitesQuery = z.output<typeof sitesQuery>;

/** The URL parameters of the marketplace that filter or sort, or name the project, in a fixed order. */
export const siteFilterNames = siteFilter.keyof().options;
/** Those of them that can be repeated. */
export const listFilterNames: ReadonlySet<string> = getListParams(siteFilter);

/**
 * Parses the marketplace's filter from its URL. Invalid values, for example from an old or edited link, are ignored and
 * reported instead of failing the page.
 * @param read returns the values of a parameter; only a list filter uses more than the first
 */
export function parseSiteFilter(read: (name: string) => readonly string[]): { filter: SiteFilter; ignored: string[] } {
  const input = siteFilterNames.map((name) => {
    const values = read(name);
    return [name, listFilterNames.has(name) ? values.filter(Boolean) : values[0] || undefined];
  });
  const { filter, ignored } = parseFilters(siteFilter, Object.fromEntries(input));
  if (hasProjectOfLinks(filter)) return { filter, ignored };
  const { hideLinked, ...others } = filter;
  return { filter: others, ignored: [...ignored, 'hideLinked'] };
}
