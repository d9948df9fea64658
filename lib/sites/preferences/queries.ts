import { and, asc, count, eq, inArray } from 'drizzle-orm';
import { db } from '../../../db/client';
import { marketplaceViews, type SiteMarkKind, savedFilters, siteMarks } from '../../../db/schema/site-preferences';
import { sites } from '../../../db/schema/sites';
import { type SiteColumn, siteColumns } from '../columns';
import { isListed } from '../listed';
import type { SavedFilter } from './save-filter';

export type Preferences = {
  savedFilters: SavedFilter[];
  /** The columns the person chose; null as long as they chose none. */
  columns: SiteColumn[] | null;
  /** How many listed sites they marked, by post type; types without any are left out. */
  favourites: ReadonlyMap<string, number>;
  hidden: ReadonlyMap<string, number>;
};

/** How a person wants the marketplace. */
export async function getPreferences(userId: string): Promise<Preferences> {
  const [filters, [view], marks] = await Promise.all([
    db()
      .select({ id: savedFilters.id, name: savedFilters.name, query: savedFilters.query })
      .from(savedFilters)
      .where(eq(savedFilters.userId, userId))
      .orderBy(asc(savedFilters.name)),
    db()
      .select({ columns: marketplaceViews.columns })
      .from(marketplaceViews)
      .where(eq(marketplaceViews.userId, userId)),
    db()
      .select({ kind: siteMarks.kind, postType: sites.postType, total: count() })
      .from(siteMarks)
      .innerJoin(sites, eq(sites.id, siteMarks.siteId))
      .where(and(eq(siteMarks.userId, userId), isListed))
      .groupBy(siteMarks.kind, sites.postType),
  ]);
  const totals = (kind: SiteMarkKind) =>
    new Map(marks.filter((mark) => mark.kind === kind).map(({ postType, total }) => [postType, total]));
  return {
    savedFilters: filters,
    columns: view ? siteColumns.filter((name) => view.columns.includes(name)) : null,
    favourites: totals('favourite'),
    hidden: totals('hidden'),
  };
}

/** Which of these sites are the person's favourites. */
export async function listFavouriteIds(userId: string, siteIds: readonly number[]): Promise<Set<number>> {
  if (siteIds.length === 0) return new Set();
  const rows = await db()
    .select({ siteId: siteMarks.siteId })
    .from(siteMarks)
    .where(and(eq(siteMarks.userId, userId), eq(siteMarks.kind, 'favourite'), inArray(siteMarks.siteId, [...siteIds])));
  return new Set(rows.map(({ siteId }) => siteId));
}
