import { eq, inArray } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { siteWordpress, wordpressRequests } from '@/db/schema/wordpress';

/**
 * Deletes the connections of sites or an owner with WordPress, and those that were begun. WordPress is not asked: its
 * passwords stay valid there until their user revokes them.
 */
export async function deleteConnections(
  tx: Executor,
  of: { siteIds: readonly number[] } | { ownerId: string },
): Promise<void> {
  for (const table of [wordpressRequests, siteWordpress])
    await tx
      .delete(table)
      .where('siteIds' in of ? inArray(table.siteId, [...of.siteIds]) : eq(table.ownerId, of.ownerId));
}
