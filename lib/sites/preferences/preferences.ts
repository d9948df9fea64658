import { and, asc, count, eq, inArray, ne, not, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { db, type Executor } from '@/db/client';
import { rowsAsJson } from '@/db/rows-as-json';
import {
  marketplaceList,
  marketplaceViews,
  type SiteMarkKind,
  savedFilters,
  siteMarks,
} from '@/db/schema/site-preferences';
import { sites } from '@/db/schema/sites';
import { lockAccount } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { isBlocked } from '@/lib/projects/blocked-domains';
import { isListed } from '@/lib/sites/catalogue/filter-sql';
import type { SavedFilter } from '@/lib/users/saved-filters';
import { type MarkSiteInput, maxSiteMarks } from './schemas';

type PreferenceFields = {
  savedFilters: SavedFilter[];
  columns: string[] | null;
  query: string | null;
  marks: { kind: SiteMarkKind; postType: string; total: number }[];
};

/** Builds the SQL expressions of the preferences. lib/sites/preferences/marketplace.ts selects them with other data. */
export function selectPreferences(
  on: Executor,
  scope: { userId: string | Placeholder; accountId: string | Placeholder; projectId: string | Placeholder },
): { [Field in keyof PreferenceFields]: SQL<PreferenceFields[Field]> } {
  const { userId, accountId } = scope;
  const filters = on
    .select({ id: savedFilters.id, name: savedFilters.name, query: savedFilters.query })
    .from(savedFilters)
    .where(and(eq(savedFilters.userId, userId), eq(savedFilters.list, marketplaceList)))
    .orderBy(asc(savedFilters.name));
  const view = (column: PgColumn) =>
    on.select({ column }).from(marketplaceViews).where(eq(marketplaceViews.userId, userId));
  const marks = on
    .select({
      kind: siteMarks.kind,
      postType: sql<string>`${sites.postType}`.as('postType'),
      total: count().as('total'),
    })
    .from(siteMarks)
    .innerJoin(sites, eq(sites.id, siteMarks.siteId))
    .where(and(eq(siteMarks.accountId, accountId), isListed, not(isBlocked(scope))))
    .groupBy(siteMarks.kind, sites.postType);
  return {
    savedFilters: rowsAsJson(filters),
    columns: sql<string[] | null>`${view(marketplaceViews.columns)}`,
    query: sql<string | null>`${view(marketplaceViews.query)}`,
    marks: rowsAsJson(marks),
  };
}

/** Builds the preferences from the selected fields. */
export function buildPreferences({ savedFilters, columns, query, marks }: PreferenceFields) {
  const totals = (kind: SiteMarkKind) =>
    new Map(marks.filter((mark) => mark.kind === kind).map(({ postType, total }) => [postType, total]));
  return {
    savedFilters,
    columns,
    /** The last filters, order and project, as the query of the marketplace's URL; '' for none. */
    query: query ?? '',
    favourites: totals('favourite'),
    hidden: totals('hidden'),
  };
}

/** A user's preferences for the marketplace. */
export type Preferences = ReturnType<typeof buildPreferences>;

/** Returns which of these sites are favourites of the user. */
export async function listFavouriteIds(accountId: string, siteIds: readonly number[]): Promise<Set<number>> {
  if (siteIds.length === 0) return new Set();
  const rows = await db()
    .select({ siteId: siteMarks.siteId })
    .from(siteMarks)
    .where(
      and(eq(siteMarks.accountId, accountId), eq(siteMarks.kind, 'favourite'), inArray(siteMarks.siteId, [...siteIds])),
    );
  return new Set(rows.map(({ siteId }) => siteId));
}

/** Saves which columns the marketplace shows the actor on every device; an empty list shows none of the optional ones. */
export async function saveColumns(actor: Actor, columns: string[]): Promise<void> {
  await db()
    .insert(marketplaceViews)
    .values({ userId: actor.userId, columns })
    .onConflictDoUpdate({ target: marketplaceViews.userId, set: { columns, updatedAt: new Date() } });
}

/**
 * Remembers the filters, the order and the project of a user's marketplace, on every device.
 * @param query as `normalizeView` returns it
 */
export async function saveView({ userId }: Pick<Actor, 'userId'>, query: string): Promise<void> {
  await db()
    .insert(marketplaceViews)
    .values({ userId, query })
    .onConflictDoUpdate({ target: marketplaceViews.userId, set: { query, updatedAt: new Date() } });
}

/**
 * Sets or removes a mark on a site: favourite or hidden. A site has at most one mark of a user, so setting one removes
 * the other. Idempotent.
 * @throws AppError not_found for a site that is not listed, conflict if the user has too many marks
 */
export async function markSite(actor: Actor, { siteId, kind, on }: MarkSiteInput): Promise<void> {
  await db().transaction(async (tx) => {
    await lockAccount(tx, actor.accountId);
    const own = eq(siteMarks.accountId, actor.accountId);
    if (!on) {
      await tx.delete(siteMarks).where(and(own, eq(siteMarks.kind, kind), eq(siteMarks.siteId, siteId)));
      return;
    }
    await requireListed(tx, siteId);
    await tx.delete(siteMarks).where(and(own, ne(siteMarks.kind, kind), eq(siteMarks.siteId, siteId)));
    const created = await tx
      .insert(siteMarks)
      .values({ accountId: actor.accountId, kind, siteId })
      .onConflictDoNothing()
      .returning({ siteId: siteMarks.siteId });
    if (created.length > 0) await requireBelowMarkLimit(tx, actor.accountId, kind);
  });
}

async function requireListed(tx: Executor, siteId: number): Promise<void> {
  const [site] = await tx
    .select({ id: sites.id })
    .from(sites)
    .where(and(eq(sites.id, siteId), isListed));
  if (!site) throw new AppError('not_found', 'This site is no longer on sale.');
}

async function requireBelowMarkLimit(tx: Executor, accountId: string, kind: MarkSiteInput['kind']): Promise<void> {
  const [marks] = await tx
    .select({ total: count() })
    .from(siteMarks)
    .where(and(eq(siteMarks.accountId, accountId), eq(siteMarks.kind, kind)));
  if ((marks?.total ?? 0) <= maxSiteMarks) return;
  const what = kind === 'favourite' ? 'favourites' : 'hidden sites';
  throw new AppError('conflict', `You can have at most ${maxSiteMarks.toLocaleString('en-US')} ${what}.`);
}
