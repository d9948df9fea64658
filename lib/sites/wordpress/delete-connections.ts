import { eq } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { siteWordpress, wordpressRequests } from '@/db/schema/wordpress';

/**
 * Deletes the connections of a site or an owner with WordPress, and those that were begun. WordPress is not asked: its
 * passwords stay valid there until their user revokes them.
 */
export async function deleteConnections(tx: Executor, of: { siteId: number } | { ownerId: string }): Promise<void> {
  for (const table of [wordpressRequests, siteWordpress])
    await tx.delete(table).where('siteId' in of ? eq(table.siteId, of.siteId) : eq(table.ownerId, of.ownerId));
}
