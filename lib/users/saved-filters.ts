import { and, asc, count, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { savedFilters } from '@/db/schema/site-preferences';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { normalizeLine } from '@/lib/network/visible-text';

/** The limit per user and list. */
export const maxSavedFilters = 50;
const maxName = 60;

export const filterNameField = z
  .string()
  .transform((text) => normalizeLine(text.replace(/[\s\p{Cc}]+/gu, ' ')))
  .pipe(z.string().min(1, 'Enter a name.').max(maxName, `Use at most ${maxName} characters.`));

const idField = z.string().min(1).max(64);
export const deleteFilterInput = z.object({ id: idField });

/** The lists of the admin area whose views can be saved, by the path of their screen. */
const viewLists = [
  ...['orders', 'disputes', 'link-checks', 'payouts', 'users', 'wallet-manager', 'audit-logs', 'guest-posts'],
].map((screen) => `/dashboard/features/${screen}`);

/** `query` is the query string of the list's URL, without the page and what is open. */
export const saveViewInput = z.object({
  list: z.enum(viewLists),
  name: filterNameField,
  query: z
    .string()
    .max(2_000, 'The filters are too long to save.')
    // PostgreSQL stores no NUL.
    .transform((text) =>
      new URLSearchParams(
        [...new URLSearchParams(text)].filter((pair) => !pair.join('').includes('\u0000')),
      ).toString(),
    )
    .refine((query) => query !== '', 'Set a filter or a sort order first.'),
  /** Replaces an existing view of the same name. */
  overwrite: z.boolean(),
});

export const renameViewInput = z.object({ id: idField, name: filterNameField });

export type SavedFilter = { id: string; name: string; query: string };

const columns = { id: savedFilters.id, name: savedFilters.name, query: savedFilters.query };

/** Lists the filters that a user saved for a list, by name. */
export const listSavedFilters = (userId: string, list: string): Promise<SavedFilter[]> =>
  db()
    .select(columns)
    .from(savedFilters)
    .where(and(eq(savedFilters.userId, userId), eq(savedFilters.list, list)))
    .orderBy(asc(savedFilters.name));

type NewFilter = { list: string; name: string; query: string; overwrite: boolean };

/**
 * Saves a filter of a list under a name. Names are case-insensitive.
 * @throws AppError conflict if the name exists and `overwrite` is false, or if the user has too many filters
 */
export async function saveFilter(actor: Actor, { list, name, query, overwrite }: NewFilter): Promise<SavedFilter> {
  return db().transaction(async (tx) => {
    await lockPreferences(tx, actor.userId);
    const id = await findByName(tx, actor.userId, list, name);
    if (id === undefined) {
      await requireBelowLimit(tx, actor.userId, list);
      const created = await tx
        .insert(savedFilters)
        .values({ id: newId(), userId: actor.userId, list, name, query })
        .returning(columns);
      return getWrittenRow(created);
    }
    if (!overwrite) throw nameTakenError(name);
    return getWrittenRow(
      await tx.update(savedFilters).set({ name, query }).where(eq(savedFilters.id, id)).returning(columns),
    );
  });
}

function nameTakenError(name: string): AppError {
  const message = `You already saved “${name}”.`;
  return new AppError('conflict', message, { fields: { name: message } });
}

async function findByName(tx: Executor, userId: string, list: string, name: string): Promise<string | undefined> {
  const hasName = eq(sql`lower(${savedFilters.name})`, sql`lower(${name})`);
  const [found] = await tx
    .select({ id: savedFilters.id })
    .from(savedFilters)
    .where(and(eq(savedFilters.userId, userId), eq(savedFilters.list, list), hasName));
  return found?.id;
}

async function requireBelowLimit(tx: Executor, userId: string, list: string): Promise<void> {
  const [counted] = await tx
    .select({ total: count() })
    .from(savedFilters)
    .where(and(eq(savedFilters.userId, userId), eq(savedFilters.list, list)));
  if ((counted?.total ?? 0) < maxSavedFilters) return;
  throw new AppError('conflict', `You can save at most ${maxSavedFilters}. Delete one first.`);
}

function getWrittenRow(rows: readonly SavedFilter[]): SavedFilter {
  const [row] = rows;
  if (!row) throw new Error('The filter was not saved.');
  return row;
}

/** Serializes changes to a user's preferences, which enforces their limits. */
async function lockPreferences(tx: Executor, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
}

const notFound = () => new AppError('not_found', 'This is no longer saved. Reload the page.');

/**
 * Renames a saved filter.
 * @throws AppError not_found for a filter that does not exist or belongs to another user, conflict for a taken name
 */
export async function renameFilter(actor: Actor, { id, name }: z.output<typeof renameViewInput>): Promise<SavedFilter> {
  return db().transaction(async (tx) => {
    await lockPreferences(tx, actor.userId);
    const isOwn = and(eq(savedFilters.id, id), eq(savedFilters.userId, actor.userId));
    const [filter] = await tx.select({ list: savedFilters.list }).from(savedFilters).where(isOwn);
    if (!filter) throw notFound();
    const taken = await findByName(tx, actor.userId, filter.list, name);
    if (taken !== undefined && taken !== id) throw nameTakenError(name);
    return getWrittenRow(await tx.update(savedFilters).set({ name }).where(isOwn).returning(columns));
  });
}

/** Deletes a saved filter. @throws AppError not_found for a filter that does not exist or belongs to another user */
export async function deleteFilter(actor: Actor, id: string): Promise<void> {
  const gone = await db()
    .delete(savedFilters)
    .where(and(eq(savedFilters.id, id), eq(savedFilters.userId, actor.userId)))
    .returning({ id: savedFilters.id });
  if (gone.length === 0) throw notFound();
}
