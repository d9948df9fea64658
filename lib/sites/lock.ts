import { and, asc, eq, inArray, isNull } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import { sites } from '@/db/schema/sites';
import { AppError } from '@/lib/errors';
import type { SiteRow } from './views';

/**
 * Locks a site for an update.
 * @param ownerId only finds a site of this owner
 * @throws AppError not_found, also for a deleted site
 */
export async function lockSite(tx: Executor, id: number, ownerId?: string): Promise<SiteRow> {
  const [site] = await tx
    .select()
    .from(sites)
    .where(
      and(eq(sites.id, id), isNull(sites.deletedAt), ownerId === undefined ? undefined : eq(sites.ownerId, ownerId)),
    )
    .for('no key update');
  if (!site) throw siteNotFoundError(id);
  return site;
}

/** Locks several sites in id order, which prevents deadlocks. Skips deleted sites. */
export async function lockSites(tx: Executor, ids: readonly number[]): Promise<SiteRow[]> {
  return tx
    .select()
    .from(sites)
    .where(and(inArray(sites.id, [...ids]), isNull(sites.deletedAt)))
    .orderBy(asc(sites.id))
    .for('no key update');
}

const duplicateSiteError = z.object({ cause: z.object({ constraint_name: z.literal('sites_owner_url_type_key') }) });

export function siteNotFoundError(id: number): AppError {
  return new AppError('not_found', `Site #${id} does not exist or was deleted.`);
}

/**
 * Returns the error for a duplicate site. A site is unique by owner, normalized URL and post type.
 * @param isOwn whether the caller owns the site
 */
export function siteExistsError(url: string, postType: string, isOwn: boolean): AppError {
  const message = isOwn ? 'You already list this site.' : `This owner already lists ${url} for ${postType}.`;
  return new AppError('conflict', message, { fields: { url: `Already listed for ${postType}.` } });
}

/** Checks whether an error is a violation of the unique index on owner, URL and post type. */
export function isDuplicateSiteError(thrown: unknown): boolean {
  return duplicateSiteError.safeParse(thrown).success;
}
