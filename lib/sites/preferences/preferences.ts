import { and, asc, count, eq, inArray, ne, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { rowsAsJson } from '@/db/rows-as-json';
import { marketplaceViews, type SiteMarkKind, savedFilters, siteMarks } from '@/db/schema/site-preferences';
import { sites } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { isListed } from '@/lib/sites/catalogue/filter-sql';
import { type MarkSiteInput, maxSavedFilters, maxSiteMarks, type SaveFilterInput } from './schemas';

type PreferenceFields = {
  savedFilters: SavedFilter[];
  columns: string[] | null;
  marks: { kind: SiteMarkKind; postType: string; total: number }[];
};

/** Builds the SQL expressions of the preferences. lib/sites/preferences/marketplace.ts selects them with other data. */
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
export function buildPreferences({ savedFilters, columns, marks }: PreferenceFields) {
  const totals = (kind: SiteMarkKind) =>
    new Map(marks.filter((mark) => mark.kind === kind).map(({ postType, total }) => [postType, total]));
  return {
    savedFilters,
    columns,
    favourites: totals('favourite'),
    hidden: totals('hidden'),
  };
}

/** A user's preferences for the marketplace. */
export type Preferences = ReturnType<typeof buildPreferences>;

/** Returns which of these sites are favourites of the user. */
export async function listFavouriteIds(userId: string, siteIds: readonly number[]): Promise<Set<number>> {
  if (siteIds.length === 0) return new Set();
  const rows = await db()
    .select({ siteId: siteMarks.siteId })
    .from(siteMarks)
    .where(and(eq(siteMarks.userId, userId), eq(siteMarks.kind, 'favourite'), inArray(siteMarks.siteId, [...siteIds])));
  return new Set(rows.map(({ siteId }) => siteId));
}

export type SavedFilter = { id: string; name: string; query: string };

const filterColumns = { id: savedFilters.id, name: savedFilters.name, query: savedFilters.query };

/**
 * Saves a filter of the marketplace under a name. Names are case-insensitive.
 * @throws AppError conflict if the name exists and `overwrite` is false, or if the user has too many filters
 */
export async function saveFilter(actor: Actor, { name, query, overwrite }: SaveFilterInput): Promise<SavedFilter> {
  return db().transaction(async (tx) => {
    await lockPreferences(tx, actor.userId);
    const id = await findByName(tx, actor.userId, name);
    if (id === undefined) {
      await requireBelowLimit(tx, actor.userId);
      const created = await tx
        .insert(savedFilters)
        .values({ id: newId(), userId: actor.userId, name, query })
        .returning(filterColumns);
      return getWrittenRow(created);
    }
    if (!overwrite) {
      const message = `You already have a filter named “${name}”.`;
      throw new AppError('conflict', message, { fields: { name: message } });
    }
    return getWrittenRow(
      await tx.update(savedFilters).set({ name, query }).where(eq(savedFilters.id, id)).returning(filterColumns),
    );
  });
}

async function findByName(tx: Executor, userId: string, name: string): Promise<string | undefined> {
  const [found] = await tx
    .select({ id: savedFilters.id })
    .from(savedFilters)
    .where(and(eq(savedFilters.userId, userId), eq(sql`lower(${savedFilters.name})`, sql`lower(${name})`)));
  return found?.id;
}

async function requireBelowLimit(tx: Executor, userId: string): Promise<void> {
  const [counted] = await tx.select({ total: count() }).from(savedFilters).where(eq(savedFilters.userId, userId));
  if ((counted?.total ?? 0) < maxSavedFilters) return;
  throw new AppError('conflict', `You can save at most ${maxSavedFilters} filters. Delete one first.`);
}

function getWrittenRow(rows: readonly SavedFilter[]): SavedFilter {
  const [row] = rows;
  if (!row) throw new Error('The filter was not saved.');
  return row;
}

/** Serializes changes to a user's preferences, which enforces the limits and the single mark of a site. */
async function lockPreferences(tx: Executor, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
}

/** Deletes a saved filter. @throws AppError not_found for a filter that does not exist or belongs to another user */
export async function deleteFilter(actor: Actor, id: string): Promise<void> {
  const gone = await db()
    .delete(savedFilters)
    .where(and(eq(savedFilters.id, id), eq(savedFilters.userId, actor.userId)))
    .returning({ id: savedFilters.id });
  if (gone.length === 0) throw new AppError('not_found', 'This saved filter no longer exists.');
}

/** Saves which columns the marketplace shows the actor on every device; an empty list shows none of the optional ones. */
export async function saveColumns(actor: Actor, columns: string[]): Promise<void> {
  await db()
    .insert(marketplaceViews)
    .values({ userId: actor.userId, columns })
    .onConflictDoUpdate({ target: marketplaceViews.userId, set: { columns, updatedAt: new Date() } });
}

/**
 * Sets or removes a mark on a site: favourite or hidden. A site has at most one mark of a user, so setting one removes
 * the other. Idempotent.
 * @throws AppError not_found for a site that is not listed, conflict if the user has too many marks
 */
export async function markSite(actor: Actor, { siteId, kind, on }: MarkSiteInput): Promise<void> {
  await db().transaction(async (tx) => {
    await lockPreferences(tx, actor.userId);
    const own = eq(siteMarks.userId, actor.userId);
    if (!on) {
      await tx.delete(siteMarks).where(and(own, eq(siteMarks.kind, kind), eq(siteMarks.siteId, siteId)));
      return;
    }
    await requireListed(tx, siteId);
    await tx.delete(siteMarks).where(and(own, ne(siteMarks.kind, kind), eq(siteMarks.siteId, siteId)));
    const created = await tx
      .insert(siteMarks)
      .values({ userId: actor.userId, kind, siteId })
      .onConflictDoNothing()
      .returning({ siteId: siteMarks.siteId });
    if (created.length > 0) await requireBelowMarkLimit(tx, actor.userId, kind);
  });
}

async function requireListed(tx: Executor, siteId: number): Promise<void> {
  const [site] = await tx
    .select({ id: sites.id })
    .from(sites)
    .where(and(eq(sites.id, siteId), isListed));
  if (!site) throw new AppError('not_found', 'This site is no longer on sale.');
}

async function requireBelowMarkLimit(tx: Executor, userId: string, kind: MarkSiteInput['kind']): Promise<void> {
  const [marks] = await tx
    .select({ total: count() })
    .from(siteMarks)
    .where(and(eq(siteMarks.userId, userId), eq(siteMarks.kind, kind)));
  if ((marks?.total ?? 0) <= maxSiteMarks) return;
  const what = kind === 'favourite' ? 'favourites' : 'hidden sites';
  throw new AppError('conflict', `You can have at most ${maxSiteMarks.toLocaleString('en-US')} ${what}.`);
}
