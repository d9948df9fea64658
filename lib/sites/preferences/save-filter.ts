import { and, count, eq, sql } from 'drizzle-orm';
import { marketplaceViews, savedFilters } from '@/db/schema/site-preferences';
import { users } from '@/db/schema/users';
import { db, type Executor } from '../../../db/client';
import type { Actor } from '../../access/actor';
import { AppError } from '../../errors';
import { newId } from '../../ids';
import { type SiteColumn, siteColumns } from '../columns';
import { maxSavedFilters, type SaveFilterInput } from './schemas';

export type SavedFilter = { id: string; name: string; query: string };

const shown = { id: savedFilters.id, name: savedFilters.name, query: savedFilters.query };

/**
 * Keeps a filter of the marketplace under a name. Names differ by more than their case.
 * @throws AppError conflict when the name is taken and `overwrite` does not allow it, or when the person has too many
 */
export async function saveFilter(actor: Actor, { name, query, overwrite }: SaveFilterInput): Promise<SavedFilter> {
  return db().transaction(async (tx) => {
    await lockPerson(tx, actor.userId);
    const id = await findByName(tx, actor.userId, name);
    if (id === undefined) {
      await requireRoom(tx, actor.userId);
      const made = await tx
        .insert(savedFilters)
        .values({ id: newId(), userId: actor.userId, name, query })
        .returning(shown);
      return only(made);
    }
    if (!overwrite) {
      const message = `You already have a filter named “${name}”.`;
      throw new AppError('conflict', message, { fields: { name: message } });
    }
    return only(await tx.update(savedFilters).set({ name, query }).where(eq(savedFilters.id, id)).returning(shown));
  });
}

async function findByName(tx: Executor, userId: string, name: string): Promise<string | undefined> {
  const [found] = await tx
    .select({ id: savedFilters.id })
    .from(savedFilters)
    .where(and(eq(savedFilters.userId, userId), eq(sql`lower(${savedFilters.name})`, sql`lower(${name})`)));
  return found?.id;
}

async function requireRoom(tx: Executor, userId: string): Promise<void> {
  const [kept] = await tx.select({ total: count() }).from(savedFilters).where(eq(savedFilters.userId, userId));
  if ((kept?.total ?? 0) < maxSavedFilters) return;
  throw new AppError('conflict', `You can save at most ${maxSavedFilters} filters. Delete one first.`);
}

function only(rows: readonly SavedFilter[]): SavedFilter {
  const [row] = rows;
  if (!row) throw new Error('The filter was not written.');
  return row;
}

/** One change of a person's preferences at a time: so a limit is kept, and a site is never favourite and hidden at once. */
export async function lockPerson(tx: Executor, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
}

/** @throws AppError not_found for one that is gone or another person's: the two look the same */
export async function deleteFilter(actor: Actor, id: string): Promise<void> {
  const gone = await db()
    .delete(savedFilters)
    .where(and(eq(savedFilters.id, id), eq(savedFilters.userId, actor.userId)))
    .returning({ id: savedFilters.id });
  if (gone.length === 0) throw new AppError('not_found', 'This saved filter does not exist any more.');
}

/** Which columns the actor wants to see in the marketplace, on every device; none is a choice as well. */
export async function saveColumns(actor: Actor, chosen: readonly SiteColumn[]): Promise<void> {
  const columns = siteColumns.filter((name) => chosen.includes(name));
  await db()
    .insert(marketplaceViews)
    .values({ userId: actor.userId, columns })
    .onConflictDoUpdate({ target: marketplaceViews.userId, set: { columns, updatedAt: new Date() } });
}
