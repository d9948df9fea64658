import { and, asc, count, eq, inArray, sql } from 'drizzle-orm';
import { db } from '../../../db/client';
import { prepared } from '../../../db/prepared';
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
    ownFilters().execute({ userId }),
    ownView().execute({ userId }),
    ownMarks().execute({ userId }),
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

// For every page of the marketplace.
const person = sql.placeholder('userId');

const ownFilters = prepared((on) =>
  on
    .select({ id: savedFilters.id, name: savedFilters.name, query: savedFilters.query })
    .from(savedFilters)
    .where(eq(savedFilters.userId, person))
    .orderBy(asc(savedFilters.name))
    .prepare('own_filters'),
);

const ownView = prepared((on) =>
  on
    .select({ columns: marketplaceViews.columns })
    .from(marketplaceViews)
    .where(eq(marketplaceViews.userId, person))
    .prepare('own_view'),
);

const ownMarks = prepared((on) =>
  on
    .select({ kind: siteMarks.kind, postType: sites.postType, total: count() })
    .from(siteMarks)
    .innerJoin(sites, eq(sites.id, siteMarks.siteId))
    .where(and(eq(siteMarks.userId, person), isListed))
    .groupBy(siteMarks.kind, sites.postType)
    .prepare('own_marks'),
);

/** Which of these sites are the person's favourites. */
export async function listFavouriteIds(userId: string, siteIds: readonly number[]): Promise<Set<number>> {
  if (siteIds.length === 0) return new Set();
  const rows = await db()
    .select({ siteId: siteMarks.siteId })
    .from(siteMarks)
    .where(and(eq(siteMarks.userId, userId), eq(siteMarks.kind, 'favourite'), inArray(siteMarks.siteId, [...siteIds])));
  return new Set(rows.map(({ siteId }) => siteId));
}
