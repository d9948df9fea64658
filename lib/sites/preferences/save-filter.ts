import { and, count, eq, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { marketplaceViews, savedFilters } from '@/db/schema/site-preferences';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { maxSavedFilters, type SaveFilterInput } from './schemas';

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
      const made = await tx
        .insert(savedFilters)
        .values({ id: newId(), userId: actor.userId, name, query })
        .returning(filterColumns);
      return getWrittenRow(made);
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
export async function lockPreferences(tx: Executor, userId: string): Promise<void> {
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
