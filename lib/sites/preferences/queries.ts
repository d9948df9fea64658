import { and, asc, count, eq, inArray } from 'drizzle-orm';
import { db } from '../../../db/client';
import { marketplaceViews, savedFilters, siteMarks } from '../../../db/schema/site-preferences';
import { sites } from '../../../db/schema/sites';
import { type SiteColumn, siteColumns } from '../columns';
import { isListed } from '../listed';
import type { SavedFilter } from './save-filter';

export type Preferences = {
  savedFilters: SavedFilter[];
  /** The columns the person chose; null as long as they chose none. */
  columns: SiteColumn[] | null;
  /** How many listed sites of the post type they marked. */
  favourites: number;
  hidden: number;
};

/** How a person wants the marketplace. */
export async function getPreferences(userId: string, postType: string | undefined): Promise<Preferences> {
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
      .select({ kind: siteMarks.kind, total: count() })
      .from(siteMarks)
      .innerJoin(sites, eq(sites.id, siteMarks.siteId))
      .where(and(eq(siteMarks.userId, userId), isListed, postType ? eq(sites.postType, postType) : undefined))
      .groupBy(siteMarks.kind),
  ]);
  const totalOf = (kind: 'favourite' | 'hidden') => marks.find((mark) => mark.kind === kind)?.total ?? 0;
  return {
    savedFilters: filters,
    columns: view ? siteColumns.filter((name) => view.columns.includes(name)) : null,
    favourites: totalOf('favourite'),
    hidden: totalOf('hidden'),
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
