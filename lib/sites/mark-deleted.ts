import { eq } from 'drizzle-orm';
import type { Executor } from '../../db/client';
import { sites } from '../../db/schema/sites';
import { recordAudit } from '../audit/record';
import type { Actor } from '../auth/actor';
import { tell } from '../bell/tell';
import type { SiteRow } from './views';

/** Deletes a site that is locked: the row stays for its orders. */
export async function markDeleted(tx: Executor, actor: Actor, site: SiteRow): Promise<void> {
  const { id, ownerId, name, url, postType, status, sellerPriceCents, publicPriceCents, publicCurrency } = site;
  await tx
    .update(sites)
    .set({ deletedAt: new Date(), version: site.version + 1 })
    .where(eq(sites.id, id));
  await recordAudit(tx, actor, {
    action: 'site.deleted',
    details: `Site #${id} ${url} was deleted with status ${status}.`,
    entityType: 'site',
    entityId: id,
    before: { ownerId, name, url, postType, status, sellerPriceCents, publicPriceCents, publicCurrency },
  });
  await tell(tx, actor, { userId: ownerId, kind: 'site.removed', subject: name });
}
