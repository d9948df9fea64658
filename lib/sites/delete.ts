import { and, eq, isNull, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { ownershipProofs } from '@/db/schema/ownership-proofs';
import { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { createNotification } from '@/lib/notifications/notifications';
import { type AuditEntry, recordAudit } from '@/lib/platform/audit/record';
import { lockSite } from './lock';
import { refreshOwnership } from './ownership/refresh';
import type { SiteRow } from './views';
import { deleteConnections } from './wordpress/delete-connections';

/**
 * Deletes a site. Existing orders on it are unchanged.
 * @throws AppError not_found, also for a site that is already deleted
 */
export async function deleteSite(actor: Actor, id: number): Promise<void> {
  await db().transaction(async (tx) => markDeleted(tx, actor, await lockSite(tx, id)));
}

/** Deletes a seller's own site. @throws AppError not_found for a site that the actor does not own */
export async function deleteOwnSite(actor: Actor, id: number): Promise<void> {
  await db().transaction(async (tx) => markDeleted(tx, actor, await lockSite(tx, id, actor.userId)));
}

/**
 * Deletes every site of an owner whose account is being deleted, the proofs of their domains, and their connections with
 * WordPress. Sends no notifications; the caller's audit entry records the number.
 * @returns the number of sites deleted
 */
export async function withdrawAllSites(tx: Executor, ownerId: string): Promise<number> {
  const withdrawn = await tx
    .update(sites)
    .set({ deletedAt: new Date(), version: sql`${sites.version} + 1` })
    .where(and(eq(sites.ownerId, ownerId), isNull(sites.deletedAt)))
    .returning({ id: sites.id });
  await deleteConnections(tx, { ownerId });
  const proofs = await tx
    .delete(ownershipProofs)
    .where(eq(ownershipProofs.sellerId, ownerId))
    .returning({ domain: ownershipProofs.domain });
  await refreshOwnership(
    tx,
    proofs.map(({ domain }) => domain),
  );
  return withdrawn.length;
}

/** Deletes a site that the caller has locked. The row is kept, because orders reference it. */
export async function markDeleted(tx: Executor, actor: Actor, site: SiteRow): Promise<void> {
  await tx
    .update(sites)
    .set({ deletedAt: new Date(), version: site.version + 1 })
    .where(eq(sites.id, site.id));
  await deleteConnections(tx, { siteIds: [site.id] });
  await refreshOwnership(tx, [site.domain]);
  await recordAudit(tx, actor, describeDeletion(site));
  await createNotification(tx, actor, { userId: site.ownerId, kind: 'site.removed', subject: site.name });
}

/** Describes the deletion of a site for the audit log. */
export function describeDeletion(site: SiteRow): AuditEntry {
  const { id, ownerId, name, url, postType, status, sellerPriceCents, publicPriceCents, publicCurrency } = site;
  return {
    action: 'site.deleted',
    details: `Site #${id} ${url} was deleted with status ${status}.`,
    entityType: 'site',
    entityId: id,
    before: { ownerId, name, url, postType, status, sellerPriceCents, publicPriceCents, publicCurrency },
  };
}
