import { and, asc, count, eq, inArray, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { rowsAsJson } from '@/db/rows-as-json';
import { marketplaceViews, type SiteMarkKind, savedFilters, siteMarks } from '@/db/schema/site-preferences';
import { sites } from '@/db/schema/sites';
import { isListed } from '@/lib/sites/catalogue/listed';
import type { SavedFilter } from './save-filter';

/** A user's preferences for the marketplace. */
export type Preferences = {
  savedFilters: SavedFilter[];
  /** The keys of the columns the user chose; null before the first choice. */
  columns: string[] | null;
  /** How many listed sites they marked, by post type; types without any are left out. */
  favourites: ReadonlyMap<string, number>;
  hidden: ReadonlyMap<string, number>;
};

type PreferenceFields = {
  savedFilters: SavedFilter[];
  columns: string[] | null;
  marks: { kind: SiteMarkKind; postType: string; total: number }[];
};

/** The SQL expressions of the preferences. lib/sites/preferences/marketplace-data.ts selects them with other data. */
export function selectPreferences(
  on: Executor,
  userId: string | Placeholder,
): { [Field in keyof PreferenceFields]: SQL<PreferenceFields[Field]> } {
  const filters = on
    .select({ id: savedFilters.id, name: savedFilters.name, query: savedFilters.query })
    .from(savedFilters)
    .where(eq(savedFilters.userId, userId))
    .orderBy(asc(savedFilters.name));
  const view = on
    .select({ columns: marketplaceViews.columns })
    .from(marketplaceViews)
    .where(eq(marketplaceViews.userId, userId));
  const marks = on
    .select({
      kind: siteMarks.kind,
      postType: sql<string>`${sites.postType}`.as('postType'),
      total: count().as('total'),
    })
    .from(siteMarks)
    .innerJoin(sites, eq(sites.id, siteMarks.siteId))
    .where(and(eq(siteMarks.userId, userId), isListed))
    .groupBy(siteMarks.kind, sites.postType);
  return { savedFilters: rowsAsJson(filters), columns: sql<string[] | null>`${view}`, marks: rowsAsJson(marks) };
}

/** Builds the preferences from the selected fields. */
export function buildPreferences({ savedFilters, columns, marks }: PreferenceFields): Preferences {
  const totals = (kind: SiteMarkKind) =>
    new Map(marks.filter((mark) => mark.kind === kind).map(({ postType, total }) => [postType, total]));
  return {
    savedFilters,
    columns,
    favourites: totals('favourite'),
    hidden: totals('hidden'),
  };
}

/** Returns which of these sites are favourites of the user. */
export async function listFavouriteIds(userId: string, siteIds: readonly number[]): Promise<Set<number>> {
  if (siteIds.length === 0) return new Set();
  const rows = await db()
    .select({ siteId: siteMarks.siteId })
    .from(siteMarks)
    .where(and(eq(siteMarks.userId, userId), eq(siteMarks.kind, 'favourite'), inArray(siteMarks.siteId, [...siteIds])));
  return new Set(rows.map(({ siteId }) => siteId));
}
