import { and, asc, eq, inArray, isNull } from 'drizzle-orm';
import type { Executor } from '../../db/client';
import { sites } from '../../db/schema/sites';
import { siteNotFound } from './site-errors';
import type { SiteRow } from './views';

/**
 * Locks a site for a change.
 * @param ownerId only a site of this owner is found
 * @throws AppError not_found, also for one that is deleted
 */
export async function lockSite(tx: Executor, id: number, ownerId?: string): Promise<SiteRow> {
  const [site] = await tx
    .select()
    .from(sites)
    .where(
      and(eq(sites.id, id), isNull(sites.deletedAt), ownerId === undefined ? undefined : eq(sites.ownerId, ownerId)),
    )
    .for('no key update');
  if (!site) throw siteNotFound(id);
  return site;
}

/** Locks several, in the order of their ids so that two of these never wait for each other; deleted ones are left out. */
export async function lockSites(tx: Executor, ids: readonly number[]): Promise<SiteRow[]> {
  return tx
    .select()
    .from(sites)
    .where(and(inArray(sites.id, [...ids]), isNull(sites.deletedAt)))
    .orderBy(asc(sites.id))
    .for('no key update');
}
